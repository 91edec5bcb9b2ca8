# shellcheck shell=bash
# The processes of one stack. Each carries MILLRACE_STACK=<folder> in its environment, which its children inherit, and
# notes "pid start-time" before it becomes the program: so all of them are found, and a reused pid is never mistaken.

use_stack() { stack=$home/$1; } # name

process_start() { # pid; clock ticks after boot, nothing for a process that is gone or a zombie
    local stat
    local -a fields
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    read -ra fields <<<"${stat##*) }"
    [[ ${fields[0]} == Z ]] || echo "${fields[19]}"
}

alive() { # part
    local pid started
    [[ -s $stack/pids/$1 ]] && read -r pid started <"$stack/pids/$1" && [[ -n $started ]] &&
        [[ $(process_start "$pid") == "$started" ]]
}

pid_of() { cut -d' ' -f1 "$stack/pids/$1"; } # part

launch() { # part, command...
    local name=$1 log=$stack/logs/$1.log
    shift
    rm -f "$stack/pids/$name"
    if [[ -e $log ]]; then mv -f "$log" "$log.1"; fi # "ready" of an earlier run must not count
    # shellcheck disable=SC2016
    MILLRACE_STACK=$stack setsid --fork bash -c '
        stat=$(</proc/$$/stat) && read -ra fields <<<"${stat##*) }" &&
            echo "$$ ${fields[19]}" >"$0" && exec "$@"
    ' "$stack/pids/$name" "$@" </dev/null >"$log" 2>&1
    echo "$name" >>"$stack/parts"
    until [[ -s $stack/pids/$name ]]; do sleep 0.01; done
}

marked() {
    local file
    { grep -lzxsF "MILLRACE_STACK=$stack" /proc/[0-9]*/environ || true; } | while read -r file; do
        file=${file#/proc/}
        echo "${file%/environ}"
    done
}

# Jobs of embedded clusters have an environment of their own; they run below a program in the agent's folder.
sessions() {
    local file folder
    local -a words
    [[ -s $stack/shared-folder ]] || return 0
    folder=$(<"$stack/shared-folder")
    { grep -lsF "$folder/agents/" /proc/[0-9]*/cmdline || true; } | while read -r file; do
        mapfile -d '' -t words 2>/dev/null <"$file" || continue
        file=${file#/proc/}
        if [[ ${words[1]-} == "$folder"/agents/*/run-session ]]; then echo "${file%/cmdline}"; fi
    done
}

with_descendants() { # pids...
    local -A parent=() taken=()
    local pid ppid more=1
    while read -r pid ppid; do parent[$pid]=$ppid; done < <(ps -eo pid=,ppid=)
    for pid in "$@"; do taken[$pid]=1; done
    while ((more)); do
        more=0
        for pid in "${!parent[@]}"; do
            if [[ -z ${taken[$pid]-} && -n ${taken[${parent[$pid]}]-} ]]; then taken[$pid]=1 more=1; fi
        done
    done
    printf '%s\n' "${!taken[@]}"
}

# Asks the parts to end and waits for them together; arguments: seconds, parts...
end_parts() {
    local until=$((SECONDS + $1)) part
    shift
    for part in "$@"; do
        if alive "$part"; then kill -TERM "$(pid_of "$part")" 2>/dev/null || true; fi
    done
    for part in "$@"; do
        while alive "$part" && ((SECONDS < until)); do sleep 0.1; done
        if alive "$part"; then warn "$part did not end when asked to: killed"; fi
    done
}

# Whatever still carries the mark, jobs, and all below them.
sweep() {
    local round
    local -a found
    for round in 1 2 3 4 5; do
        mapfile -t found < <(marked; sessions)
        ((${#found[@]})) || return 0
        mapfile -t found < <(with_descendants "${found[@]}")
        kill -KILL "${found[@]}" 2>/dev/null || true
        sleep "0.$round"
    done
    warn "processes ${found[*]} do not end"
}

# Ends the stack once this launcher is gone, however it went: also after a SIGKILL, which no trap sees. A stack that is
# to outlive its launcher says so by the file 'kept'.
guard() {
    local started
    started=$(process_start $$)
    rm -f "$stack/kept"
    # shellcheck disable=SC2016
    MILLRACE_HOME=$home env -u MILLRACE_STACK setsid --fork bash -c '
        source "$1/deploy/launcher/processes.bash"
        while [[ $(process_start "$2") == "$3" ]]; do sleep 0.5; done
        [[ -e $4/kept ]] || exec "$1/millrace" __end "${4##*/}"
    ' guard "$root" $$ "$started" "$stack" </dev/null >/dev/null 2>&1
}

wait_for_interrupt() { while :; do sleep 1; done; }

# ---- ports: what listens now, and what launchers that are still starting have chosen -----------------------------------

readonly claims=/tmp/millrace-ports

listening() { # port
    local hex
    printf -v hex ':%04X' "$1"
    grep -qsE "^ *[0-9]+: [0-9A-F]+$hex [0-9A-F]+:[0-9A-F]+ 0A " /proc/net/tcp /proc/net/tcp6
}

# Claims a port for this launcher, unless something listens there or a launcher that lives has claimed it: a service
# binds its port seconds after it was chosen, and another stack may be starting at the same time.
claim() { # port
    local pid started
    if listening "$1"; then return 1; fi
    if [[ ! -d $claims ]]; then mkdir -m 1777 "$claims" 2>/dev/null || true; fi
    if read -r pid started 2>/dev/null <"$claims/$1"; then
        if [[ -n $started && $(process_start "$pid") == "$started" ]]; then return 1; fi
        rm -f "$claims/$1" 2>/dev/null || return 1
    fi
    (set -C && echo "$$ $(process_start $$)" >"$claims/$1") 2>/dev/null
}

release_claims() {
    { grep -lxsF "$$ $(process_start $$)" "$claims"/* 2>/dev/null || true; } | xargs -r rm -f
}

# A free port into the variable named; below the range that the kernel hands out to clients.
free_port() { # variable, wanted port or nothing, its setting
    local candidate=${2-}
    if [[ -n $candidate ]]; then
        claim "$candidate" || die "port $candidate is taken$(holder "$candidate"): stop it or set ${3-another}"
    else
        candidate=$((20000 + RANDOM % 12000))
        until claim "$candidate"; do candidate=$((candidate + 1)); done
    fi
    printf -v "$1" '%s' "$candidate"
}

holder() { # port; who holds it, where that can be seen
    local who
    who=$(ss -Hltnp "sport = :$1" 2>/dev/null | sed -n 's/.*users:((\("[^"]*"\),pid=\([0-9]*\).*/\1, pid \2/p' | head -n 1)
    if [[ -n $who ]]; then echo " (by $who)"; fi
}
