# Installs the Debian packages named as arguments, or lists the missing ones. Other scripts source it.

say() { printf '%s\n' "$*"; }

if ! command -v swift >/dev/null 2>&1; then
  say "Swift 6.2.3 or later is required, and 'swift' is not on the PATH: https://swift.org/install" >&2
  exit 1
fi

missing=""
if command -v dpkg-query >/dev/null 2>&1; then
  for package in "$@"; do
    state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    [ "$state" = "install ok installed" ] || missing="$missing $package"
  done
fi

if [ -n "$missing" ]; then
  install="apt-get update && apt-get install -y --no-install-recommends$missing"
  if [ "$(id -u)" = 0 ]; then
    say "Installing$missing"
    sh -c "export DEBIAN_FRONTEND=noninteractive; $install" >/dev/null
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    say "Installing$missing"
    sudo sh -c "export DEBIAN_FRONTEND=noninteractive; $install" >/dev/null
  else
    say "Missing:$missing. As root, run: $install" >&2
    exit 1
  fi
fi
