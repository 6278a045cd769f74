#!/bin/sh
# Make this computer a table: sudo hardware/deploy/install.sh
# Run it again after an update; settings in /etc/stammtisch are never overwritten.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
[ "$(id -u)" = 0 ] || { echo "install.sh: needs root; run it with sudo" >&2; exit 1; }

apt-get install -y -qq --no-install-recommends python3-venv libgl1 libglib2.0-0
id stammtisch >/dev/null 2>&1 || useradd --system --home-dir /var/lib/stammtisch --groups dialout,video stammtisch
python3 -m venv /opt/stammtisch
# Exactly what was tested, each file by its hash; `make lock` renews it.
/opt/stammtisch/bin/pip install -q --require-hashes -r "$here/table.lock"
/opt/stammtisch/bin/pip install -q --no-deps --no-build-isolation "$root"
mkdir -p /etc/stammtisch
[ -e /etc/stammtisch/stammtisch.toml ] || install -m 644 "$here/stammtisch.toml" /etc/stammtisch/
install -m 644 "$here/60-stammtisch.rules" /etc/udev/rules.d/
install -m 644 "$here/stammtisch.service" /etc/systemd/system/
install -D -m 644 "$here/stammtisch-kiosk.service" /etc/systemd/user/stammtisch-kiosk.service
udevadm control --reload && udevadm trigger --subsystem-match=tty
systemctl daemon-reload
echo "Now edit /etc/stammtisch/stammtisch.toml, put table.toml and the deck beside it, then:"
echo "  /opt/stammtisch/bin/stammtisch doctor --config /etc/stammtisch/stammtisch.toml"
echo "  sudo systemctl enable --now stammtisch"
