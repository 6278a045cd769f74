#!/bin/sh
# Makes this computer a table, or updates it: sudo hardware/deploy/install.sh
# Installs the Debian packages first; `stammtisch release install` (table/releases) does the rest.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
case "${1-}" in -h | --help)
	echo "usage: sudo $0 [--screen | --no-screen] [--now] [--wheels DIR]"
	echo "  --no-screen   no scoreboard on this computer's own screen; the desktop stays, or comes back"
	echo "  --screen      the scoreboard on it, as at the first time; an update leaves it as it is"
	echo "  --now         change over although a game is being played"
	echo "  --wheels DIR  packages of table.lock from here, none from the network"
	exit 0 ;;
esac
[ "$(id -u)" = 0 ] || { echo "install.sh: needs root; run it with sudo" >&2; exit 1; }
command -v apt-get >/dev/null || { echo "install.sh: this is neither Debian nor Raspberry Pi OS" >&2; exit 1; }

wanted="python3-venv"
screen=yes
case " $* " in
*" --no-screen "*) screen=no ;;
*" --screen "*) ;;
*) if [ -e /opt/stammtisch/current ] && ! systemctl is-enabled -q stammtisch-kiosk.service; then screen=no; fi ;;
esac
# cage (0.1) does not start at all without Xwayland.
case $screen in yes) wanted="$wanted cage xwayland chromium fonts-dejavu-core dbus libpam-systemd" ;; esac
missing=""
for package in $wanted; do
	dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
# The Raspberry Pi's camera program; other systems have no such package.
if ! command -v rpicam-vid >/dev/null && apt-cache show rpicam-apps-lite >/dev/null 2>&1; then
	missing="$missing rpicam-apps-lite"
fi
if [ -n "$missing" ]; then
	echo "packages:$missing"
	# shellcheck disable=SC2086  # several words
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
		{ echo "install.sh: apt could not install:$missing; run apt-get update and look at what it says" >&2; exit 1; }
fi
# A relative folder refers to the directory from which this script was called.
before=""
for word; do
	shift
	case "$before $word" in "--wheels /"*) ;; "--wheels "*) word="$PWD/$word" ;; esac
	case "$word" in --wheels=/*) ;; --wheels=*) word="--wheels=$PWD/${word#--wheels=}" ;; esac
	set -- "$@" "$word"
	before="$word"
done
cd /
# No PYTHONPATH: the releases' programs, which this one calls, must find their own modules.
exec python3 -PB -c 'import sys; sys.path.insert(0, sys.argv.pop(1)); from table.cli import main; sys.exit(main())' \
	"$source" release install "$source" "$@"
