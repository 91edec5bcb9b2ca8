# shellcheck shell=bash
# Output of the launcher. Colours and overwritten lines appear on a terminal only.

if [[ -t 2 && ${TERM-dumb} != dumb ]]; then
    bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' green=$'\e[32m' yellow=$'\e[33m' plain=$'\e[0m' terminal=1
else
    bold='' dim='' red='' green='' yellow='' plain='' terminal=''
fi
readonly bold dim red green yellow plain terminal

say() { printf '%s%s\n' "${terminal:+$'\r\e[K'}" "$*" >&2; }
warn() { say "${yellow}$*${plain}"; }
die() {
    say "${red}millrace: $*${plain}"
    exit 1
}

# A line that the next one replaces; printed on a terminal only.
passing() { if [[ -n $terminal ]]; then printf '\r\e[K%s%s%s' "$dim" "$*" "$plain" >&2; fi; }

now_ms() { # into the variable named
    local micros=${EPOCHREALTIME/[.,]/}
    printf -v "$1" '%s' "${micros%???}"
}

since() { # ms of the start; as "12.3 s"
    local now
    now_ms now
    printf '%d.%d s' $(((now - $1) / 1000)) $(((now - $1) % 1000 / 100))
}
