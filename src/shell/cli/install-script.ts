/**
 * POSIX sh that installs the command from one instance.
 * @param url public address of the instance, without a slash at its end
 */
export function installScript(url: string): string {
  return SCRIPT.replace('@URL@', () => quoted(url));
}

/** A word that the shell takes as it is. */
function quoted(text: string): string {
  return `'${text.replace(/'/g, `'\\''`)}'`;
}

// All of it is a function that the last line calls, so that half a download runs nothing.
const SCRIPT = String.raw`#!/bin/sh
# Installs the loupe command. Options: --install-dir <dir>, --version <version>, --help.
# LOUPE_INSTALL_NO_TTY=1 asks nothing.

loupe_install() {
  set -eu
  instance=@URL@
  wanted_dir=''
  wanted_version=''

  die() {
    printf 'error: %s\n' "$1" >&2
    exit "${'$'}{2:-1}"
  }

  usage() {
    printf '%s\n' \
      'Installs the loupe command from its Loupe.' \
      '  --install-dir <dir>   folder of the link; default: where loupe is, ~/.local/bin or ~/bin' \
      '  --version <version>   a certain release' \
      '  --help                this text'
  }

  while [ $# -gt 0 ]; do
    case "$1" in
      --install-dir) [ $# -ge 2 ] || die '--install-dir needs a folder' 2; wanted_dir=$2; shift 2 ;;
      --install-dir=*) wanted_dir=${'$'}{1#*=}; shift ;;
      --version) [ $# -ge 2 ] || die '--version needs a version' 2; wanted_version=$2; shift 2 ;;
      --version=*) wanted_version=${'$'}{1#*=}; shift ;;
      --help) usage; exit 0 ;;
      *) die "unknown option $1: see --help" 2 ;;
    esac
  done

  case "$(uname -s)" in
    Linux | Darwin) ;;
    *) die 'loupe runs on Linux and macOS: use WSL on Windows' ;;
  esac
  command -v node >/dev/null 2>&1 || die 'Node.js is missing: install version 20.19 or newer'
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    die "Node.js $(node -v) is too old: install 20.19 or newer"

  if command -v sha256sum >/dev/null 2>&1; then
    sum() { sha256sum "$1" | cut -d ' ' -f 1; }
  elif command -v shasum >/dev/null 2>&1; then
    sum() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
  else
    die 'sha256sum and shasum are missing: install one of them'
  fi
  if command -v curl >/dev/null 2>&1; then
    fetch() { curl -fsS --retry 2 -o "$2" "$1"; }
  elif command -v wget >/dev/null 2>&1; then
    fetch() { wget -q -O "$2" "$1"; }
  else
    die 'curl and wget are missing: install one of them'
  fi

  present=$(command -v loupe 2>/dev/null || true)
  case "$present" in
    /*)
      resolved=$(node -p 'require("fs").realpathSync(process.argv[1])' "$present" 2>/dev/null || printf '%s' "$present")
      case "$resolved" in
        */Cellar/loupe/*) die 'this loupe belongs to Homebrew, and nothing was changed: run brew upgrade loupe' ;;
      esac
      ;;
    *) present='' ;;
  esac

  on_path() {
    case ":$PATH:" in *":$1:"*) return 0 ;; *) return 1 ;; esac
  }
  if [ -n "$wanted_dir" ]; then
    dir=$wanted_dir
  elif [ -n "$present" ]; then
    dir=$(dirname "$present")
  elif on_path "$HOME/.local/bin"; then
    dir=$HOME/.local/bin
  elif on_path "$HOME/bin"; then
    dir=$HOME/bin
  else
    dir=$HOME/.local/bin
    if [ "${'$'}{LOUPE_INSTALL_NO_TTY:-}" != 1 ] && [ -t 2 ] && (: </dev/tty) 2>/dev/null; then
      printf 'Folder for the loupe command [%s]: ' "$dir" >&2
      read -r answer </dev/tty || answer=''
      [ -z "$answer" ] || dir=$answer
    fi
  fi
  case "$dir" in
    '~/'*) dir=$HOME/${'$'}{dir#??} ;;
    /*) ;;
    *) dir=$(pwd)/$dir ;;
  esac

  work=$(mktemp -d) || die 'no temporary folder can be made'
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  fetch "$instance/cli/releases.json" "$work/releases.json" || die "$instance/cli/releases.json cannot be read: check the network"
  node -e '
    const { readFileSync } = require("fs");
    const [, path, instance, wanted] = process.argv;
    const { releases } = JSON.parse(readFileSync(path, "utf8"));
    const found = wanted ? releases.find(({ version }) => version === wanted) : releases[0];
    const { version, url, sha256 } = found || process.exit(1);
    const right = /^[0-9A-Za-z.+-]+$/.test(version) && /^[0-9a-f]{64}$/.test(sha256) && url === instance + "/cli/loupe-" + version + ".tar.gz";
    if (!right) process.exit(1);
    process.stdout.write([version, url, sha256].join(" ") + "\n");
  ' "$work/releases.json" "$instance" "$wanted_version" >"$work/release" ||
    die "$instance offers no such release of loupe${'$'}{wanted_version:+ ($wanted_version)}"
  read -r version url sha256 <"$work/release"

  fetch "$url" "$work/loupe.tar.gz" || die "$url cannot be read: try again"
  actual=$(sum "$work/loupe.tar.gz")
  [ "$actual" = "$sha256" ] || die "the download does not match its SHA-256, and nothing was installed: tell the admin of $instance"

  tar -xzf "$work/loupe.tar.gz" -C "$work" || die 'the download cannot be unpacked'
  [ -f "$work/loupe-$version/loupe.mjs" ] || die 'the download holds no loupe'
  node "$work/loupe-$version/loupe.mjs" version >/dev/null || die 'the downloaded loupe does not run here'

  share=${'$'}{XDG_DATA_HOME:-$HOME/.local/share}/loupe
  mkdir -p "$share" "$dir" || die "$share and $dir must be writable"
  fresh=$share/.new-$$
  rm -rf "$fresh"
  cp -R "$work/loupe-$version" "$fresh" || die "$share cannot be written"
  chmod 755 "$fresh/loupe.mjs"
  rm -rf "${'$'}{share:?}/$version"
  mv "$fresh" "$share/$version"
  ln -s "$share/$version/loupe.mjs" "$dir/.loupe-$$" || die "$dir cannot be written"
  mv -f "$dir/.loupe-$$" "$dir/loupe"

  printf 'Installed loupe %s in %s.\n' "$version" "$dir"
  on_path "$dir" || printf 'Add it to your PATH: export PATH="%s:$PATH"\n' "$dir"
  printf 'Next: loupe login --url %s\n' "$instance"
}

loupe_install "$@"
`;
