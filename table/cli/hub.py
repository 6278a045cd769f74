"""`stammtisch hub`: many tables from a broker into PostgreSQL, with leagues, ratings and a page."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from table.cli import numbers
from table.cli.actions import add_action
from table.cli.outside import SystemEnd, ended_by_the_system
from table.errors import StammtischError, installing
from table.processes import count_log

if TYPE_CHECKING:
    from table.hub.intake import Intake

DATABASE = "dbname=stammtisch"
PORT = 8090


def register(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    ways = parser.add_subparsers(dest="way", metavar="WHAT", required=True)
    serve = add_action(ways, "serve", "receive events from the broker, keep them, show the page")
    serve.set_defaults(do=_serve)
    _database(serve)
    serve.add_argument(
        "--broker", default="127.0.0.1:1883", metavar="HOST:PORT", help="(default: %(default)s)"
    )
    serve.add_argument("--user", metavar="NAME", help="user name at the broker")
    serve.add_argument(
        "--password-file", type=Path, metavar="FILE", help="file whose only line is the password"
    )
    serve.add_argument("--ca", metavar="FILE", help="TLS: certificates to trust")
    serve.add_argument(
        "--name",
        default="1",
        metavar="NAME",
        help="name of this hub, where several run side by side (default: 1)",
    )
    serve.add_argument(
        "--listen", default="127.0.0.1", metavar="ADDRESS", help="address of the page (default: %(default)s)"
    )
    serve.add_argument(
        "--port", type=numbers.port, default=PORT, metavar="P", help="port of the page (default: %(default)s)"
    )
    serve.add_argument(
        "--zone",
        metavar="ZONE",
        help="time zone by which an evening ends, such as Europe/Berlin (default: the database's)",
    )
    demo = add_action(
        ways, "demo", "run a broker, a database, a hub and three virtual tables on this machine"
    )
    demo.set_defaults(do=_demo)
    demo.add_argument(
        "--port", type=numbers.port, default=PORT, metavar="P", help="port of the page (default: %(default)s)"
    )
    demo.add_argument(
        "--tables", type=numbers.from_one, default=3, metavar="N", help="how many virtual tables (default: 3)"
    )
    demo.add_argument(
        "--speed", type=numbers.speed, default=1.0, metavar="X", help="speed: 0.1 to 20 times the usual one"
    )
    demo.add_argument(
        "--seconds",
        type=numbers.positive,
        metavar="S",
        help="stop after this many seconds (default: run until Ctrl-C)",
    )
    bench = add_action(ways, "bench", "measure with simulated tables, a real broker and a real database")
    bench.set_defaults(do=_bench)
    bench.add_argument(
        "--tables",
        type=numbers.from_one,
        default=200,
        metavar="N",
        help="how many simulated tables (default: 200)",
    )
    bench.add_argument(
        "--rate", type=numbers.positive, default=2000.0, metavar="HZ", help="lines a second (default: 2000)"
    )
    bench.add_argument(
        "--seconds", type=numbers.positive, default=60.0, metavar="S", help="how many seconds (default: 60)"
    )
    bench.add_argument(
        "--hubs",
        type=numbers.from_one,
        default=1,
        metavar="N",
        help="how many hubs run side by side (default: 1)",
    )
    bench.add_argument("--upset", action="store_true", help="kill broker, hubs and database in turn")
    call = add_action(ways, "call", "show a player under a pseudonym")
    call.set_defaults(do=_call)
    call.add_argument("player", metavar="NAME", help="the player's name, as it is typed at the tables")
    call.add_argument("pseudonym", metavar="PSEUDONYM", help="the name that is shown instead")
    _database(call)
    forget = add_action(ways, "forget", "delete a player who asks for it")
    forget.set_defaults(do=_forget)
    forget.add_argument("player", metavar="NAME", help="the player's name, as it is typed at the tables")
    _database(forget)
    league = add_action(ways, "league", "make a league of some tables, or dissolve one")
    league.set_defaults(do=_league)
    league.add_argument("league", metavar="LEAGUE", help="name of the league")
    league.add_argument(
        "tables", metavar="TABLE", nargs="*", help="its tables; without any the league is dissolved"
    )
    _database(league)


def _database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        default=DATABASE,
        metavar="DSN",
        help="the database, as a PostgreSQL DSN (default: %(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    """Run the hub's subcommand. Raises StammtischError."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    count_log()
    try:
        import alembic  # noqa: F401
        import paho.mqtt  # noqa: F401
        import psycopg
    except ImportError as wrong:
        raise StammtischError(
            f"{wrong.name} is missing; install it with:"
            f" {installing('paho-mqtt', 'psycopg[binary]', 'alembic')}"
        ) from None
    from table.hub.database import plainly

    try:
        return int(options.do(options))
    except psycopg.Error as wrong:
        raise plainly(wrong) from None


def _serve(options: argparse.Namespace) -> int:
    from table.errors import UsageError
    from table.hub.database import migrate
    from table.hub.intake import BrokerAccess, Intake

    host, _, port = options.broker.rpartition(":")
    if not host or not (port.isascii() and port.isdigit() and 1 <= int(port[:6]) <= 65535):
        raise UsageError(f"--broker {options.broker}: write HOST:PORT, as in 127.0.0.1:1883")
    if options.password_file and not options.user:
        raise UsageError("--password-file needs --user: the user whose password it is")
    if options.zone is not None:
        _zone(options.zone)
    login = None
    if options.user:
        secret = options.password_file.read_text("utf-8").strip() if options.password_file else ""
        login = (options.user, secret)
    broker = BrokerAccess(host.removeprefix("[").removesuffix("]"), int(port), login, options.ca)
    try:
        with ended_by_the_system():
            migrate(options.database)
            intake = Intake(options.database, broker, options.name)
            return _run(options.database, intake, options.listen, options.port, options.zone)
    except SystemEnd:
        return 0


def _zone(name: str) -> None:
    from zoneinfo import ZoneInfo

    from table.errors import UsageError

    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise UsageError(f"--zone {name}: there is no such zone; write it like Europe/Berlin") from None


def _run(dsn: str, intake: Intake, listen: str, port: int, zone: str | None) -> int:
    from table.hub.page import serve
    from table.hub.scoring import Scorer

    scoring = Scorer(dsn)
    intake.start()
    scoring.start()
    ends = "   (Ctrl-C ends)" if sys.stdout.isatty() else ""  # not into a service's log
    print(f"page: http://{listen}:{port}{ends}", flush=True)
    try:
        serve(dsn, intake, listen, port, zone)
    finally:
        intake.stop()
        scoring.stop()
    return 0


def _demo(options: argparse.Namespace) -> int:
    from table.cli.hub_demo import play

    with ended_by_the_system():  # also ends broker, database and tables when the terminal is closed
        return play(options.tables, options.port, options.speed, options.seconds)


def _bench(options: argparse.Namespace) -> int:
    from table.cli.hub_bench import run as measure

    with ended_by_the_system():
        return measure(options.tables, options.rate, options.seconds, options.hubs, options.upset)


def _call(options: argparse.Namespace) -> int:
    from table.hub.database import connect
    from table.hub.people import call

    with connect(options.database) as base:
        call(base, options.player, options.pseudonym)
    print(f"{options.player} is shown as {options.pseudonym}")
    return 0


def _forget(options: argparse.Namespace) -> int:
    from table.hub.database import connect
    from table.hub.people import forget, shown_at
    from table.messages import topic

    with connect(options.database) as base:
        tables = shown_at(base, options.player)
        games = forget(base, options.player)
    print(f"{options.player} is deleted; in {games} games that seat now has no name")
    print(
        "The name remains in the tables' own journals, and in the state that the broker keeps of a "
        "table until another game begins there, or for a day after the table has gone."
    )
    for table in tables:
        where = topic(table, "state")
        print(
            f"It remains at {where}; if that table is gone, clear it now with its own password: "
            f"mosquitto_pub -h BROKER -u {table} -P PASSWORD -r -n -t {where}"
        )
    return 0


def _league(options: argparse.Namespace) -> int:
    from table.errors import UsageError
    from table.hub.database import connect

    tables = list(dict.fromkeys(options.tables))
    if not options.league.strip():
        raise UsageError("a league needs a name")
    with connect(options.database) as base, base.transaction():
        known = {row[0] for row in base.execute("SELECT name FROM tables WHERE name = ANY(%s)", (tables,))}
        base.execute("DELETE FROM leagues WHERE name = %s", (options.league,))
        for table in tables:
            base.execute("INSERT INTO leagues VALUES (%s, %s)", (options.league, table))
    print(f"{options.league}: {', '.join(tables) or 'no table: it is dissolved'}")
    for table in tables:
        if table not in known:
            print(f"table {table} has not reported to this hub yet; check the spelling", file=sys.stderr)
    return 0
