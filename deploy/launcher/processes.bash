# shellcheck shell=bash
# The processes of one stack. Each has MILLRACE_STACK=<folder> in its environment, which its children inherit, and
# records "pid start-time" before it executes the program. So all of them are found, and a reused pid is recognized.

use_stack() { stack=$home/$1; } # name

# Removes a folder with the files of jobs, which may have made folders read-only. Root needs no permission; its chmod could follow a link that
# a user puts in place of a folder.
remove_tree() { # folder
    if ((EUID != 0)) && [[ -d $1 && ! -L $1 ]]; then
        find -P "$1" -xdev -type d ! -perm -u=rwx -exec chmod u+rwx -- {} \;
    fi
    rm -rf --one-file-system -- "$1"
}

process_start() { # pid; prints clock ticks since boot, nothing for a zombie or a process that has ended
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

# Gives the parts of this stack ten times the processor time of jobs and of users' commands, where the kernel groups processes by session.
prefer_parts() {
    if [[ -e /proc/self/autogroup ]]; then echo -10 >"$stack/priority"; fi
}

# Gives a launcher that leads its session, as a service manager does, the priority of the parts that it starts.
take_priority() {
    if [[ -e $stack/priority && $(ps -o sid= $$) -eq $$ ]]; then cat "$stack/priority" >/proc/$$/autogroup; fi
}

launch() { # part, command...
    local name=$1 log=$stack/logs/$1.log
    shift
    rm -f "$stack/pids/$name"
    if [[ -e $log ]]; then mv -f "$log" "$log.1"; fi # "ready" of an earlier run must not match
    # shellcheck disable=SC2016
    MILLRACE_STACK=$stack setsid --fork bash -c '
        if [[ -e $1 ]]; then cat "$1" >/proc/$$/autogroup; fi
        shift
        stat=$(</proc/$$/stat) && read -ra fields <<<"${stat##*) }" &&
            echo "$$ ${fields[19]}" >"$0" && exec "$@"
    ' "$stack/pids/$name" "$stack/priority" "$@" </dev/null >"$log" 2>&1
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

# Jobs of embedded clusters do not inherit the environment; they run below a program in the agent's folder.
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

# Sends SIGTERM to the parts and waits for all of them; arguments: seconds, parts... A part that has stopped and writes its class archive
# (class_archive) gets five minutes: the archive of submit has 110 MB, and several parts write at the same time.
end_parts() {
    local until=$((SECONDS + $1)) archived=$((SECONDS + 300)) part
    shift
    for part in "$@"; do
        if alive "$part"; then kill -TERM "$(pid_of "$part")" 2>/dev/null || true; fi
    done
    for part in "$@"; do
        while alive "$part" && ((SECONDS < until)); do sleep 0.1; done
        while alive "$part" && writes_archive "$part" && ((SECONDS < archived)); do
            passing "  $part writes the classes that it used, for faster starts"
            sleep 0.1
        done
        if alive "$part"; then warn "$part did not end after SIGTERM; killing it"; fi
    done
}

# The JVM begins its archive after the last shutdown hook, and warns of the classes that it leaves out.
writes_archive() { # part
    grep -qszF -e -XX:ArchiveClassesAtExit= "/proc/$(pid_of "$1")/cmdline" && grep -qsF '[cds]' "$stack/logs/$1.log"
}

# Kills all processes that carry the mark, jobs, and their descendants; fails if some remain.
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
    warn "processes ${found[*]} are still running"
    return 1
}

# Ends the stack after this launcher has ended, even by SIGKILL, which no trap catches. A stack with the file 'kept' outlives its
# launcher. The guard inherits the lock of the stack and holds it until it has ended the stack.
guard() {
    local started lock
    started=$(process_start $$)
    exec {lock}>>"$stack.guard"
    await_earlier_guard "$lock"
    echo "$$ $started" >"$stack.guard"
    rm -f "$stack/kept"
    # shellcheck disable=SC2016
    MILLRACE_HOME=$home env -u MILLRACE_STACK setsid --fork bash -c '
        source "$1/deploy/launcher/processes.bash"
        while [[ $(process_start "$2") == "$3" ]]; do sleep 0.5; done
        [[ -e $4/kept ]] || exec "$1/millrace" __end "${4##*/}"
    ' guard "$root" $$ "$started" "$stack" </dev/null >/dev/null 2>&1
    exec {lock}>&-
}

# The guard of a launcher that has just ended would also end what a new launcher of the same stack starts. That of a launcher that still runs
# is not waited for.
await_earlier_guard() { # lock
    local launcher launched
    until flock --nonblock "$1"; do
        if read -r launcher launched <"$stack.guard" && [[ $(process_start "$launcher") == "$launched" ]]; then return; fi
        sleep 0.1
    done
}

wait_for_interrupt() { while :; do sleep 1; done; }

# ---- ports: those in use, and those that other launchers have chosen and not bound yet -----------------------------------

# A folder of this user alone, because others could put links or pipes into a shared one.
claims=/tmp/millrace-ports-$UID
readonly claims

listening() { # port
    local hex
    printf -v hex ':%04X' "$1"
    grep -qsE "^ *[0-9]+: [0-9A-F]+$hex [0-9A-F]+:[0-9A-F]+ 0A " /proc/net/tcp /proc/net/tcp6
}

# Claims a port for this launcher, unless it is in use or another running launcher has claimed it. A service binds its port seconds after
# the launcher chose it, and another stack may be starting at the same time.
claim() { # port
    local pid started
    if listening "$1"; then return 1; fi
    mkdir -m 700 "$claims" 2>/dev/null || [[ -O $claims && -d $claims && ! -L $claims ]] ||
        die "$claims belongs to another user; ask an administrator to remove it"
    if read -r pid started 2>/dev/null <"$claims/$1"; then
        if [[ -n $started && $(process_start "$pid") == "$started" ]]; then return 1; fi
        rm -f "$claims/$1" 2>/dev/null || return 1
    fi
    (set -C && echo "$$ $(process_start $$)" >"$claims/$1") 2>/dev/null
}

release_claims() {
    { grep -lxsF "$$ $(process_start $$)" "$claims"/* 2>/dev/null || true; } | xargs -r rm -f
}

# Stores a free port in the variable; below the range of ephemeral ports.
free_port() { # variable, wanted port or nothing, its setting
    local candidate=${2-}
    if [[ -n $candidate ]]; then
        claim "$candidate" || die "port $candidate is in use$(holder "$candidate"); stop that process or set ${3-another port}"
    else
        candidate=$((20000 + RANDOM % 12000))
        until claim "$candidate"; do candidate=$((candidate + 1)); done
    fi
    printf -v "$1" '%s' "$candidate"
}

holder() { # port; prints the process that uses it, if it is visible
    local who
    who=$(ss -Hltnp "sport = :$1" 2>/dev/null | sed -n 's/.*users:((\("[^"]*"\),pid=\([0-9]*\).*/\1, pid \2/p' | head -n 1)
    if [[ -n $who ]]; then echo " (by $who)"; fi
}
