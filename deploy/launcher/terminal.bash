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

# The candidate that differs from the word by the fewest letters; nothing if all differ by more than a third.
nearest() { # word, candidates...
    local word=$1
    shift
    printf '%s\n' "$@" | awk -v word="$word" '
        function least(a, b, c) { return a < b ? (a < c ? a : c) : (b < c ? b : c) }
        function distance(a, b,    i, j, row, above, corner) {
            for (j = 0; j <= length(b); j++) row[j] = j
            for (i = 1; i <= length(a); i++) {
                corner = row[0]
                row[0] = i
                for (j = 1; j <= length(b); j++) {
                    above = row[j]
                    row[j] = least(above + 1, row[j - 1] + 1, corner + (substr(a, i, 1) != substr(b, j, 1)))
                    corner = above
                }
            }
            return row[length(b)]
        }
        { d = distance(word, $0); if (NR == 1 || d < best) { best = d; found = $0 } }
        END { if (found != "" && best * 3 <= length(found) + 2) print found }'
}

# Ends with an error that names the nearest of the known words.
unknown() { # kind, word, known words...
    local close
    close=$(nearest "${@:2}")
    die "unknown $1 '$2'${close:+; did you mean '$close'?}; known: ${*:3}"
}

no_arguments() { # verb, arguments...
    (($# == 1)) || die "'$1' accepts no arguments, but got '$2'; see: ./millrace help"
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
