# shellcheck shell=bash
# Measurements. Those that need running parts start a stack of embedded clusters and stop it when they end.

verb_bench() { # name, its arguments
    case ${1-} in
        agent) find_jdk && exec "$root/deploy/lab/bench-recorded" "${@:2}" ;;
        ledger) find_jdk && exec "$root/deploy/lab/bench-ledger" "${@:2}" ;;
        plane) bench_plane "${@:2}" ;;
        submit) bench_submit "${@:2}" ;;
        transfer) find_jdk && exec "$root/deploy/lab/bench-transfer" "${@:2}" ;;
        *) verb_simulator bench "$@" ;; # the planners
    esac
}

bench_plane() { # jobs, clusters, connections
    measure_plane "${2-3}" plane "${1-500}" "${3-40}"
}

bench_submit() { # jobs at each number of connections
    measure_plane 1 submit "${1-2000}"
    measure_sbatch "${1-2000}"
}

measure_sbatch() { # jobs
    local started finished
    if ((EUID != 0)) || ! live_ready; then
        warn 'this requires root and Slurm: sbatch is not measured'
        return
    fi
    start_lab alpha
    now_ms started
    seq "$1" | SLURM_CONF=$(<"$stack/lab")/alpha/etc/slurm.conf setpriv --reuid mr-alice --regid mr-alice --clear-groups \
        xargs -P 40 -I{} sbatch --quiet --chdir /tmp --output /dev/null --wrap true
    now_ms finished
    echo "sbatch of real Slurm, 40 at a time: $(($1 * 1000 / (finished - started))) submissions/s"
}

measure_plane() { # clusters, arguments of MeasurePlane: what, jobs...
    local number
    for number in "$1" "${@:3}"; do
        [[ $number =~ ^[1-9][0-9]{0,8}$ ]] || die "bench $2: '$number' must be a whole number of at least 1"
    done
    begin_stack bench 'a measurement'
    build_if_needed
    for ((number = 1; number <= $1; number++)); do
        echo "c$number local local.nodes=16 local.cores-per-node=8"
    done >"$home/bench/clusters.of-the-bench"
    start_stack "$home/bench/clusters.of-the-bench"
    run_main deploy/story io.millrace.story.plane.MeasurePlane "$stack/site.properties" "${@:2}"
}
