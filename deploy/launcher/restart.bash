# shellcheck shell=bash
# Restarts parts of a running stack, asks before jobs are killed, and runs a stack for tests.

verb_restart() { # part, [--kill]
    local part='' how=TERM argument
    local -a parts
    running_stack
    own_stack
    mapfile -t parts < <(sort -u "$stack/parts")
    for argument in "$@"; do
        case $argument in
            --kill) how=KILL ;;
            -*) unknown "option of 'restart'" "$argument" --kill ;;
            *)
                [[ -z $part ]] || die "restart accepts one part, but got '$part' and '$argument'"
                part=$argument
                ;;
        esac
    done
    [[ -n $part ]] || die "restart requires the name of a part: ${parts[*]}"
    grep -qxF -- "$part" "$stack/parts" || unknown part "$part" "${parts[@]}"
    take_priority
    find_jdk
    check_settings
    remember_settings
    if [[ $how == KILL ]] && alive "$part"; then kill -KILL "$(pid_of "$part")"; fi
    end_parts 20 "$part"
    start_part "$part"
    await_part "$part"
}

start_part() { # part
    local -a words
    case $1 in
        kafka*) start_broker "$1" ;;
        mariadb) start_mariadb && adopt_mariadb ;;
        agent-*)
            while read -ra words; do
                if [[ agent-${words[0]} == "$1" ]]; then start_agent_only "${words[@]}"; fi
            done < <(cluster_lines)
            ;;
        watchdog-*)
            while read -ra words; do
                if [[ watchdog-${words[0]} == "$1" ]]; then start_watchdog_of "${words[@]}"; fi
            done < <(cluster_lines)
            ;;
        *) start_service "$1" ;;
    esac
}

await_part() { # part
    local begun until=$((SECONDS + 300))
    now_ms begun
    case $1 in
        kafka*) await_line "$1" '^ready ' 600 ;;
        mariadb | watchdog-*) ;;
        *)
            until healthy "$1"; do
                alive "$1" || part_failed "$1" 'ended before it was ready'
                ((SECONDS < until)) || part_failed "$1" 'was not healthy after 300 s'
                sleep 0.2
            done
            ;;
    esac
    say "  ${green}ready${plain} $1, $(since "$begun")"
}

# Stopping a stack kills the jobs of its embedded clusters. Asks on a terminal.
confirm_jobs() {
    local name answer
    local -i jobs=0
    for name in "${stacks[@]}"; do
        use_stack "$name"
        jobs+=$(sessions | wc -l)
    done
    ((jobs)) || return 0
    warn "running jobs of embedded clusters that will be killed: $jobs"
    if [[ -t 0 && -n $terminal ]]; then
        read -rp 'Continue? [y/N] ' answer
        [[ $answer == [yY]* ]] || die 'nothing was stopped'
    fi
}

# Starts the parts of a running stack that have ended.
complete_stack() {
    local part
    local -a missing=()
    while read -r part; do
        alive "$part" || missing+=("$part")
    done < <(sort -u "$stack/parts" | order_parts)
    if ((!${#missing[@]})); then
        say "already up; '$(command_line status)' shows it"
        return
    fi
    check_settings
    remember_settings
    say "starting what has ended: ${missing[*]}"
    for part in "${missing[@]}"; do
        start_part "$part"
        if [[ $part == kafka ]]; then await_part kafka; fi
    done
    for part in "${missing[@]}"; do
        if [[ $part != kafka ]]; then await_part "$part"; fi
    done
}

# A stack for a test: two real Slurm clusters and a local one, with 'hosts' two that are separate hosts, or with 'none' no cluster. It prints
# 'stack SITE_PROPERTIES' and runs until the test ends this launcher.
verb_test_stack() { # [hosts | none]
    local lab=auto clusters
    use_stack "stage-$$"
    find_jdk
    fresh_stack
    guard
    trap 'stop_stack; remove_tree "${stack:?}"' EXIT
    trap 'exit 130' INT TERM HUP
    if [[ ${1-} != none ]]; then
        choose_lab
        [[ $lab == yes ]] || die 'the test stack requires root and Slurm'
    fi
    if [[ ${1-} == hosts ]]; then
        start_moving_stack ''
    elif [[ ${1-} == none ]]; then
        : >"$stack/no-clusters"
        start_stack "$stack/no-clusters"
    else
        start_lab "$lab_clusters"
        clusters=$(demo_clusters)
        start_stack "$clusters" "$(demo_quotas "$clusters")"
    fi
    echo "stack $stack/site.properties"
    wait_for_interrupt
}
