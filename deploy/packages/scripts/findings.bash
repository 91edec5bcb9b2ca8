# shellcheck shell=bash
# Output of millrace-setup and millrace-agent: steps, findings, and errors with their remedy.

program=${0##*/}

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "$program" "$*" >&2; }
die() {
    warn "$*"
    exit 1
}

need_root() { ((EUID == 0)) || die 'this command changes the system; run it as root'; }

need_systemd() { [[ -d /run/systemd/system ]] || die 'systemd does not run on this host; Millrace is started by its units'; }

failures=0
fine() { printf '  ok      %s\n' "$*"; }
finding() { # what is wrong, remedy
    printf '  FAILED  %s\n          %s\n' "$1" "$2"
    failures=$((failures + 1))
}
advice() { printf '  note    %s\n          %s\n' "$1" "$2"; }
verdict() {
    ((failures == 0)) || die "$failures checks failed"
    say 'all checks passed'
}

is_name() { [[ $1 =~ ^[a-z][a-z0-9-]{0,30}$ ]]; }
is_host() { [[ $1 =~ ^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$ ]]; }

# Replaces a file in one step. The text is on standard input.
replace() { # file, mode, owner
    local draft
    draft=$(mktemp "${1%/*}/.new.XXXXXX")
    cat >"$draft"
    chmod "$2" "$draft"
    chown "${3-root:root}" "$draft"
    mv -f "$draft" "$1"
}

# Sets a key in the file of the commands unless the site has set it.
command_setting() { # key, value
    [[ -e /etc/millrace/config ]] || install -m 0644 /dev/null /etc/millrace/config
    if ! grep -qE "^$1=" /etc/millrace/config; then printf '%s=%s\n' "$1" "$2" >>/etc/millrace/config; fi
}

health() { # port; the first line and the body
    (
        exec 3<>"/dev/tcp/127.0.0.1/$1" || exit 1
        printf 'GET /q/health/ready HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
        timeout 5 cat <&3
    ) 2>/dev/null
}

is_ready() { [[ $(health "$1" | head -n 1) == *' 200 '* ]]; }

opens() { timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$1" "$2" 2>/dev/null; } # host, port

# Waits until units are ready; names the first that has failed, or is not ready after ten minutes.
await_ready() { # unit=port...
    local until=$((SECONDS + 600)) one
    for one in "$@"; do
        until is_ready "${one#*=}"; do
            if systemctl -q is-failed "${one%%=*}" || ((SECONDS > until)); then
                die "${one%%=*} is not ready; see: journalctl -u ${one%%=*}"
            fi
            sleep 0.5
        done
    done
}
