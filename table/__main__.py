"""`python -m table` is `stammtisch`."""

from table.cli import main

raise SystemExit(main())
