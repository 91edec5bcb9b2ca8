# shellcheck shell=bash
# Restarts one part of a running stack, and runs a stack for tests.

verb_restart() { # part, [--kill]
    local part=${1-} how=TERM
    [[ ${2-} != --kill ]] || how=KILL
    running_stack
    [[ -n $part ]] && grep -qxF -- "$part" "$stack/parts" ||
        die "restart requires the name of a running part: $(sort -u "$stack/parts" | paste -sd' ')"
    find_jdk
    if [[ -n ${MILLRACE_SUBMIT_HANDLERS_FILE-} ]]; then note_handlers_file "$MILLRACE_SUBMIT_HANDLERS_FILE"; fi
    if [[ $how == KILL ]] && alive "$part"; then kill -KILL "$(pid_of "$part")"; fi
    end_parts 20 "$part"
    start_part "$part"
    await_part "$part"
}

start_part() { # part
    local -a words
    case $1 in
        kafka) start_kafka ;;
        mariadb) start_mariadb && adopt_mariadb ;;
        agent-*)
            while read -ra words; do
                if [[ agent-${words[0]} == "$1" ]]; then start_agent_only "${words[@]}"; fi
            done < <(cluster_lines)
            ;;
        watchdog-*) die "cannot restart a watchdog; it starts with './millrace up'" ;;
        *) start_service "$1" ;;
    esac
}

await_part() { # part
    local begun until=$((SECONDS + 300))
    now_ms begun
    case $1 in
        kafka) await_line kafka '^ready ' 300 ;;
        mariadb) ;;
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

# A stack with two real Slurm clusters and a local one, for a test. It prints 'stack SITE_PROPERTIES' and runs until the test ends this launcher.
verb_test_stack() {
    local lab=auto clusters
    use_stack "stage-$$"
    find_jdk
    fresh_stack
    guard
    trap 'stop_stack; rm -rf --one-file-system "${stack:?}"' EXIT
    trap 'exit 130' INT TERM HUP
    choose_lab
    [[ $lab == yes ]] || die 'the test stack requires root and Slurm'
    start_lab "$lab_clusters"
    clusters=$(demo_clusters)
    start_stack "$clusters" "$(demo_quotas "$clusters")"
    echo "stack $stack/site.properties"
    wait_for_interrupt
}
