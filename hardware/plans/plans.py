"""Makes the bill of materials, wiring, drawings and `dimensions.scad` from `parts.toml` and a table file.

python hardware/plans/plans.py            # writes them; `--check` only reports what is out of date
"""

from __future__ import annotations

import math
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from svg import table_svg, wiring_svg  # noqa: E402  # in this file's folder, as the file is run as a script

BEGIN, END = "<!-- parts: made by plans.py -->", "<!-- end of parts -->"


def load() -> tuple[dict[str, Any], dict[str, Any]]:
    """Read `parts.toml` and the table file that it names."""
    parts = tomllib.loads((HERE / "parts.toml").read_text(encoding="utf-8"))
    table = tomllib.loads((HERE.parent / "tables" / parts["table"]).read_text(encoding="utf-8"))
    return parts, table


def sizes(parts: dict[str, Any], table: dict[str, Any]) -> dict[str, float]:
    """Lengths in mm and numbers that follow from both files."""
    arm, holder, camera = parts["arm"], parts["holder"], parts["camera"]
    seats = len(table["seat"])
    boom = math.hypot(*(edge / 2 + arm["behind"] for edge in table["mat"]["size"]))
    axis = camera["height"] + arm["tube"]  # height of the boom's axis: the lens hangs one tube below it
    mast = axis - arm["tube"] / 2 - 2 * arm["wall"] - arm["wall"]  # from the foot's plate into the elbow
    return {
        "seats": seats,
        "lamps": len(table.get("lamp", ())) or 2 + holder["lamps"] * seats,
        "boom": boom,
        "mast": mast,
        "tube": (boom + mast) / 1000,
        "holder": (holder["lamps"] - 1) * holder["pitch"] + 2 * (holder["window"] / 2 + holder["end"]),
    }


def count(part: dict[str, Any], known: dict[str, float]) -> float:
    """The quantity of a part, given as a number or as the name of a known one."""
    said = part.get("count", "1")
    return known[said] if said in known else float(said)


def parts_table(parts: dict[str, Any], known: dict[str, float]) -> str:
    """The bill of materials in Markdown."""
    lines = ["| part | how many | € | what for | notes |", "|---|---|---|---|---|"]
    sums = {False: 0.0, True: 0.0}
    for part in parts["part"]:
        many = count(part, known)
        euro = many * part["euro"]
        sums[part.get("optional", False)] += euro
        unit = f" {part['unit']}" if "unit" in part else ""
        option = "only if wanted; " if part.get("optional") else ""
        note = option + part.get("note", "")
        lines.append(
            f"| {part['name']} | {many:.3g}{unit} | {euro:.3g} | {part['for']} | {note.rstrip('; ')} |"
        )
    lines.append(f"| **all** | | **{sums[False]:.0f}** | | and {sums[True]:.0f} for what is only wanted |")
    return "\n".join(lines)


def dimensions(parts: dict[str, Any], known: dict[str, float]) -> str:
    """The sizes for OpenSCAD."""
    lines = ["// Millimetres; made by plans.py from parts.toml."]
    for section in ("arm", "holder"):
        lines += [f"{section}_{key} = {value};" for key, value in parts[section].items()]
    lines.append(f"holder_length = {known['holder']:.3f};")
    return "\n".join(lines) + "\n"


def files() -> dict[Path, str]:
    """The contents of all files that are made, by path."""
    parts, table = load()
    known = sizes(parts, table)
    readme = HERE.parent / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    return {
        readme: f"{before}{BEGIN}\n{parts_table(parts, known)}\n{END}{rest.split(END)[1]}",
        HERE / "dimensions.scad": dimensions(parts, known),
        HERE / "wiring.svg": wiring_svg(parts),
        HERE / "table.svg": table_svg(parts, table, known, side=False),
        HERE / "camera.svg": table_svg(parts, table, known, side=True),
    }


def main() -> int:
    """Write the files that have changed; with `--check` only return 1 if any has."""
    old = [path for path, text in files().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in old:
        print(path.name, "is out of date" if "--check" in sys.argv else "written")
        if "--check" not in sys.argv:
            path.write_text(files()[path], encoding="utf-8")
    return 1 if old and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
