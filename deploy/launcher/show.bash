# shellcheck shell=bash
# Shows the running parts and their logs.

running_stack() { # MILLRACE_STACK_NAME selects a stack by name
    local name
    for name in ${MILLRACE_STACK_NAME-"${stacks[@]}"}; do
        use_stack "$name"
        if stack_runs; then return 0; fi
    done
    die "no stack is running; start one with: ./millrace up"
}

verb_status() {
    no_arguments status "$@"
    local part total=0 failed=0 degraded=''
    running_stack
    printf '%s%-18s %8s  %-14s %9s  %-9s %s%s\n' "${terminal:+$bold}" PART PID 'UP SINCE' MEMORY HEALTH LAG "$plain"
    while read -r part; do status_line "$part"; done < <(sort -u "$stack/parts" | order_parts)
    printf '%-18s %8s  %-14s %6d MB\n' total '' '' $((total / 1024))
    for part in $degraded; do
        echo "${red}$part has set aside records that it cannot process${plain}; reasons: ./millrace logs $part, dead letters:" \
            "topic millrace.dlq.${part/#agent-/agent.}"
    done
    stalled_services
    echo "API $(api_url)/api/v1"
    show_settings
    return "$failed"
}

order_parts() { awk '{ print ($0 ~ /^(kafka(-[0-9]+)?|mariadb)$/ ? 0 : $0 ~ /^(agent|watchdog)-/ ? 2 : 1), $0 }' | sort -s -k1,1n | cut -d' ' -f2-; }

# Adds to total and to degraded, and sets failed if a part is not healthy.
status_line() { # part
    local pid='' kilobytes=0 health=down lag=''
    if alive "$1"; then
        pid=$(pid_of "$1")
        kilobytes=$(ps -o rss= -p "$pid" || echo 0)
        health=$(health_of "$1")
        lag=$(lag_of "$1") || lag=?
        total=$((total + kilobytes))
    fi
    case $health in
        up) ;;
        degraded) degraded+=" $1" ;;
        *) failed=1 ;;
    esac
    printf '%-18s %8s  %-14s %6d MB  %-9s %s\n' "$1" "$pid" "${pid:+$(up_since "$pid")}" $((kilobytes / 1024)) \
        "$health" "$lag"
}

# Names the services that have not decided for more than a minute, and sets failed if there are any.
stalled_services() {
    local name age since
    while read -r name age; do
        since="since $(date -d "@$((EPOCHSECONDS - age))" '+%d %b %H:%M:%S')"
        echo "${red}$name has not decided $since${plain}; see: ./millrace logs ${name%-service}"
        failed=1
    done < <(http_get "$(management_port_of submit)" /q/metrics |
        sed -nE 's/^millrace_service_decision_age\{(.*,)?service="([a-z-]+)".*\} ([0-9.E]+)$/\2 \3/p' |
        awk '$2 > 60 { printf "%s %d\n", $1, $2 }')
}

up_since() { date -d "$(ps -o lstart= -p "$1")" '+%d %b %H:%M:%S'; } # pid

health_of() { # part
    case $1 in
        kafka* | mariadb) if listening "$(port_of "$1")"; then echo up; else echo silent; fi ;;
        watchdog-*) echo up ;;
        *)
            if ! healthy "$1"; then
                echo unready
            elif (($(set_aside_by "$1"))); then
                echo degraded
            else
                echo up
            fi
            ;;
    esac
}

# The number of records that a part has set aside since it started, from its metrics.
set_aside_by() { # part
    http_get "$(management_port_of "$1")" /q/metrics "$(address_of "$1")" |
        awk '/^millrace_(loop_set_aside|dead_letters_total)[{ ]/ { sum += $NF } END { printf "%d\n", sum }'
}

# The number of messages that the part's consumers have not read yet, from its metrics.
lag_of() { # part
    case $1 in
        kafka* | mariadb | watchdog-*) ;;
        *)
            http_get "$(management_port_of "$1")" /q/metrics "$(address_of "$1")" |
                awk '/^(millrace_[a-z_]*_lag|kafka_consumer_fetch_manager_records_lag)[{ ]/ { sum += $NF; seen = 1 }
                     END { if (seen) printf "%d\n", sum }'
            ;;
    esac
}

verb_logs() {
    local follow='' part file
    local -a files=() wanted=()
    [[ -n $terminal ]] && follow=1
    for part in "$@"; do
        if [[ $part == -f ]]; then follow=1; else wanted+=("$part"); fi
    done
    use_stack demo
    stack_runs || use_stack stack
    [[ -d $stack/logs ]] || die "no logs in $stack; start the stack with: ./millrace up"
    if ((!${#wanted[@]})); then mapfile -t wanted < <(sort -u "$stack/parts" | order_parts); fi
    for part in "${wanted[@]}"; do
        file=$stack/logs/$part.log
        # shellcheck disable=SC2046
        [[ -e $file ]] || unknown part "$part" $(sort -u "$stack/parts")
        files+=("$file")
    done
    if [[ -z $follow ]]; then
        for file in "${files[@]}"; do tail -n 200 "$file" | name_lines "$file"; done
        return
    fi
    trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
    for file in "${files[@]}"; do
        tail -n 20 -F "$file" 2>/dev/null | name_lines "$file" "$((${#file} % 6 + 31))" &
    done
    wait
}

# Puts the name of the part before each line, and removes warnings of the JVM about itself.
name_lines() { # log file, colour or nothing
    local name=${1##*/} colour='' end=''
    if [[ -n ${2-} && -t 1 ]]; then colour=$'\e['$2m end=$'\e[0m'; fi
    sed -u -E "/^(WARNING: |OpenJDK .* warning: |Java HotSpot.* warning: |\[[0-9.]+s\]\[warning\])/d
        s/^/$colour$(printf '%-14s|' "${name%.log}")$end /"
}
