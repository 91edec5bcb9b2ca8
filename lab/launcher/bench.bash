# shellcheck shell=bash
# Measurements. Those that need running parts start a stack of embedded clusters and stop it when they end.

readonly bench_cpus=32 # of each of the lab's nodes: a job of a second should not wait for a core

verb_bench() { # name, its arguments
    case ${1-} in
        agent) bench_agent "${@:2}" ;;
        array) bench_array "${@:2}" ;;
        growth) bench_growth "${@:2}" ;;
        ledger) bench_ledger "${@:2}" ;;
        plane) bench_plane "${@:2}" ;;
        security) bench_security "${@:2}" ;;
        slurm) bench_slurm "${@:2}" ;;
        submit) bench_submit "${@:2}" ;;
        transfer) run_with_parts "$root/lab/launcher/bench-transfer" "${@:2}" ;;
        *) run_planners bench "$@" ;;
    esac
}

# Experiments with the planners, and their benchmarks.
run_planners() { # experiment or bench, its arguments
    find_jdk
    build_if_needed
    run_main lab/planners io.millrace.lab.planners.Main "$@"
}

# Runs a script that starts the measurements of single parts, with their class path.
run_with_parts() { # script, its arguments
    find_jdk
    build_if_needed
    CLASSPATH=$(class_path lab/parts) "$@"
}

# Polls of a full queue on recorded clusters of PBS, Torque and LSF; 'prove pass' does the same on a live Slurm.
bench_agent() { # jobs, polls
    check_numbers agent "${1-10000}" "${2-4}"
    find_jdk
    build_if_needed
    run_main lab/parts io.millrace.lab.parts.RecordedQueueBench "${1-10000}" "${2-4}"
}

# A ledger in a real MariaDB: booking, closing months, statements, rebuilding, size; at 300,000 entries, at a million and at the end. Ten million
# entries need about 8 GB.
bench_ledger() { # entries
    local work
    check_numbers ledger "${1-10000000}"
    find_jdk
    build_if_needed
    work=$(mktemp -d "${TMPDIR:-/tmp}/mr-ledger-XXXX")
    # shellcheck disable=SC2064
    trap "rm -rf '$work'" EXIT
    run_main lab/parts io.millrace.lab.parts.LedgerBench "${1-10000000}" "$work"
}

# One user submits what a whole site does.
without_limits() {
    export MILLRACE_SUBMIT_LIMITS_REQUESTS_AT_ONCE=1000 MILLRACE_SUBMIT_LIMITS_REQUESTS_PER_SECOND=100000 \
        MILLRACE_SUBMIT_LIMITS_USER_JOBS=10000000 MILLRACE_SUBMIT_LIMITS_JOBS=10000000 \
        MILLRACE_SUBMIT_LIMITS_USER_MIB_PER_HOUR=100000 MILLRACE_SUBMIT_LIMITS_MIB_PER_HOUR=100000
}

bench_plane() { # jobs, clusters, connections, rounds
    measure_plane "${2-3}" plane "${1-500}" "${3-40}" "${4-1}"
    measure_slurm "${1-500}" "${3-40}"
}

# Slurm alone, then the same Slurm under the control of Millrace.
bench_slurm() { # jobs, connections, rounds, held jobs in the queue
    local jobs=${1-500} connections=${2-40} rounds=${3-1} held=${4-0}
    check_numbers slurm "$jobs" "$connections" "$rounds"
    [[ $held =~ ^[0-9]{1,6}$ ]] || die "bench slurm: '$held' must be a whole number of held jobs"
    need_live
    begin_stack bench 'a measurement'
    build_if_needed
    measure_slurm "$jobs" "$connections" "$held"
    start_only_slurm "$bench_cpus"
    fill_queue "$held"
    slurm_cluster alpha >"$stack/clusters.of-the-bench"
    without_limits
    start_stack "$stack/clusters.of-the-bench"
    run_main lab/campaigns io.millrace.lab.campaigns.plane.MeasurePlane "$stack/site.properties" plane "$jobs" "$connections" "$rounds"
}

# An array of short tasks on real Slurm: its own scheduler, then Millrace.
bench_array() { # tasks, seconds of each, cores of each of four nodes
    local tasks=${1-50} seconds=${2-3} cores=${3-3}
    check_numbers array "$tasks" "$seconds" "$cores"
    need_live
    begin_stack bench 'a measurement'
    build_if_needed
    start_only_slurm "$cores" --control native
    measure_array native "$tasks" "$seconds" "$cores"
    start_only_slurm "$cores"
    slurm_cluster alpha >"$stack/clusters.of-the-bench"
    start_stack "$stack/clusters.of-the-bench"
    measure_array directed "$tasks" "$seconds" "$cores"
    measure_array directed "$tasks" "$seconds" "$cores"
}

measure_array() { # control, tasks, seconds of each, cores of each node
    local folder submitted
    folder=$(mktemp -d "$(shared_folder)/array-XXXXXX")
    chmod 1777 "$folder"
    now_ms submitted
    # shellcheck disable=SC2016
    on_slurm sbatch --quiet --time 1 --array "1-$2" --chdir /tmp --output /dev/null --export "ALL,STARTS=$folder" \
        --wrap "date +%s%3N >\$STARTS/start.\$SLURM_ARRAY_TASK_ID; sleep $3; date +%s%3N >\$STARTS/end.\$SLURM_ARRAY_TASK_ID"
    while (($(find "$folder" -name 'end.*' -size +0 | wc -l) < $2)); do sleep 0.2; done
    echo "array of $2 tasks of $3 s on $((lab_nodes * $4)) cores, $1: last start after $(tenths "$submitted" "$folder"/start.*) s," \
        "last end after $(tenths "$submitted" "$folder"/end.*) s"
}

# Seconds from a time to the latest one in these files.
tenths() { # time in milliseconds, files with one each
    local -i ms
    ms=$(sort -n "${@:2}" | tail -n 1)-$1
    echo "$((ms / 1000)).$((ms % 1000 / 100))"
}

# What the protections cost: topics per cluster, the helper that becomes an owner, TLS of the REST API. Each beside what it replaced. It fails, after
# all measurements, if the helper costs more than its limit.
bench_security() { # jobs, connections, rounds
    local folder=$home/bench/tls port status=0
    check_numbers security "${1-500}" "${2-40}" "${3-5}"
    begin_stack bench 'a measurement'
    mkdir -p "$stack/lanes"
    build_for_tests -Dquick || die "the build failed; its log is $stack/lanes/build.log"
    run_main lab/parts io.millrace.lab.parts.RevisionCost 50 1000 "${3-5}"
    if ((EUID == 0)); then run_test_main cluster-agent/core io.millrace.agent.exec.HelperCost 200 || status=1; fi
    verb_certificates "$folder" localhost
    free_port port
    export MILLRACE_SUBMIT_TLS_CERTIFICATE=$folder/server.pem MILLRACE_SUBMIT_TLS_KEY=$folder/server.key \
        QUARKUS_HTTP_INSECURE_REQUESTS=enabled QUARKUS_HTTP_SSL_PORT=$port
    plane_of 1
    run_main lab/campaigns io.millrace.lab.campaigns.plane.MeasurePlane "$stack/site.properties" tls "${1-500}" "${2-40}" "${3-5}" \
        "https://localhost:$port" "$folder/authority.pem"
    return "$status"
}

bench_submit() { # jobs at each number of connections
    measure_plane 1 submit "${1-2000}"
    measure_slurm "${1-2000}" 40
}

# Each list begins with the value that is kept while another list grows.
bench_growth() { # waiting jobs, clusters, partitions (each a list such as 1000,10000), rounds, seed
    local -a waiting clusters partitions
    local value rounds=${4-100} seed=${5-1} figures=$home/growth.figures
    IFS=, read -ra waiting <<<"${1-1000,10000,100000}"
    IFS=, read -ra clusters <<<"${2-3,30,300}"
    IFS=, read -ra partitions <<<"${3-12,24,48}"
    check_numbers growth "${waiting[@]}" "${clusters[@]}" "${partitions[@]}" "$rounds" "$seed"
    begin_stack bench 'a measurement'
    build_if_needed
    rm -f "$figures"
    measure_growth "${waiting[0]}" "${clusters[0]}" "${partitions[0]}"
    for value in "${waiting[@]:1}"; do measure_growth "$value" "${clusters[0]}" "${partitions[0]}"; done
    for value in "${clusters[@]:1}"; do measure_growth "${waiting[0]}" "$value" "${partitions[0]}"; done
    for value in "${partitions[@]:1}"; do measure_growth "${waiting[0]}" "${clusters[0]}" "$value"; done
    run_main lab/campaigns io.millrace.lab.campaigns.plane.GrowthPage "$figures" "$home/growth.svg"
}

# On a stack of its own, because the number of partitions cannot be changed and memory does not shrink.
measure_growth() { # waiting jobs, clusters, partitions
    say "${bold}$1 waiting jobs, $2 clusters, $3 partitions${plain}"
    fresh_stack
    : >"$home/bench/no-clusters"
    # The heaps of 'demo' are too small for 100,000 waiting jobs.
    without_limits
    MILLRACE_PROFILE=${MILLRACE_PROFILE:-site} MILLRACE_KAFKA_PARTITIONS=$3 start_stack "$home/bench/no-clusters"
    run_main lab/campaigns io.millrace.lab.campaigns.plane.MeasureGrowth "$stack/site.properties" "$@" "$rounds" "$seed" "$figures"
    stop_stack
    trap 'exit 130' INT TERM HUP
}

check_numbers() { # name of the measurement, numbers...
    local number
    for number in "${@:2}"; do
        [[ $number =~ ^[1-9][0-9]{0,8}$ ]] || die "bench $1: '$number' must be a whole number of at least 1"
    done
}

# One cluster, under the control of Slurm itself, with no other stack running.
measure_slurm() { # jobs, commands at a time, held jobs in the queue
    local started accepted ended busy
    if ((EUID != 0)) || ! live_ready; then
        warn 'this requires root and Slurm: real Slurm is not measured'
        return
    fi
    start_only_slurm "$bench_cpus" --control native
    fill_queue "${3-0}"
    busy=$(busy_ms)
    now_ms started
    submit_to_slurm "$1" "$2"
    now_ms accepted
    while [[ -n $(on_slurm squeue --noheader --format %r | grep -v JobHeldUser) ]]; do sleep 0.5; done
    now_ms ended
    echo
    echo "real Slurm, $lab_nodes nodes with $bench_cpus cores, $2 sbatch commands at a time: $(($1 * 1000 / (accepted - started))) submissions/s," \
        "$(($1 * 1000 / (ended - started))) jobs ended/s, $((($(busy_ms) - busy) / $1)) ms of processor time per job, commands included"
}

start_only_slurm() { # cores of each node, more options of slurm-lab
    stop_stack
    trap 'exit 130' INT TERM HUP
    fresh_stack
    create_people
    start_lab alpha --cpus "$1" "${@:2}"
}

# Jobs that their owner holds, so that they stay in the queue.
fill_queue() { # jobs
    if (($1 == 0)); then return; fi
    say "submitting $1 held jobs to Slurm"
    submit_to_slurm "$1" 8 --hold
}

submit_to_slurm() { # jobs, commands at a time, more options of sbatch
    seq "$1" | on_slurm xargs -P "$2" -I{} sbatch --quiet --chdir /tmp --output /dev/null --wrap true "${@:3}"
}

on_slurm() { # command..., as a user of the lab
    setpriv --reuid mr-alice --regid mr-alice --clear-groups env "SLURM_CONF=$(<"$stack/lab")/alpha/etc/slurm.conf" "$@"
}

# The processor time that all processes of this machine have used.
busy_ms() {
    local user nice system
    read -r _ user nice system _ </proc/stat
    echo $(((user + nice + system) * 1000 / $(getconf CLK_TCK)))
}

measure_plane() { # clusters, arguments of MeasurePlane: what, jobs...
    check_numbers "$2" "$1" "${@:3}"
    begin_stack bench 'a measurement'
    build_if_needed
    plane_of "$1"
    run_main lab/campaigns io.millrace.lab.campaigns.plane.MeasurePlane "$stack/site.properties" "${@:2}"
}

plane_of() { # number of clusters
    local number
    for ((number = 1; number <= $1; number++)); do
        echo "c$number local local.nodes=16 local.cores-per-node=8"
    done >"$home/bench/clusters.of-the-bench"
    without_limits
    start_stack "$home/bench/clusters.of-the-bench"
}
