"""Makes `python -m table` the same command as `stammtisch`."""

from table.cli import main

raise SystemExit(main())
