# shellcheck shell=bash
# Proofs that take too long for every test run: each is brought up, watched and judged by one command, and cleans up after itself.

# A line each: name, what it shows and how long that takes.
proofs() {
    cat <<PROOFS
checkpoint           a computation on real Slurm, cut three times, ends with the result of an uninterrupted run
                     ([MINUTES OF COMPUTING] [SECONDS BETWEEN CHECKPOINTS]; 5 and 30)
checkpoint-backfill  the whole stack on a real Slurm cluster: reservation, backfill on a shrunk estimate, checkpoint when
                     the reservation is due, head start on time, restart to the right result; 6 minutes
quota                two users share two real Slurm clusters, one where Millrace decides, one where Slurm's own QoS do: who is within
                     quota is served at once, nobody is taken below it, work that can be saved is; 6 minutes
pass                 what one look of the agent at a full Slurm queue costs ([JOBS] [LOOKS] [directed|native]; 10000, 5, native)
PROOFS
}

verb_prove() { # name, its arguments
    local name=${1-}
    shift || true
    case $name in
        '') proofs ;;
        checkpoint | pass | checkpoint-backfill | quota) "prove_${name//-/_}" "$@" ;;
        *) die "there is no proof '$name'; there are: $(proofs | sed -nE 's/^([a-z-]+) .*/\1/p' | paste -sd' ')" ;;
    esac
}

need_live() { # further packages; programs they bring
    ((EUID == 0)) || die 'this proof runs real Slurm, which needs root: slurmd starts jobs as their owners'
    if can_install; then install_live_packages "$@" || true; fi
    live_ready || die "this proof needs real Slurm: install ${live_packages[*]} $*"
}

prove_checkpoint() {
    need_live
    find_jdk
    "$root/deploy/lab/prove-checkpoint" "$@"
}

prove_pass() {
    need_live "${accounting_packages[@]}"
    find_jdk
    "$root/deploy/lab/bench-pass" "$@"
}

# One Slurm cluster, directed, and backfill-service with checkpoint backfill; the quotas leave everything to the order.
prove_checkpoint_backfill() {
    local clusters=$home/prove/clusters.of-the-proof
    need_live
    begin_story
    start_lab alpha
    slurm_cluster alpha >"$clusters"
    export MILLRACE_BACKFILL_CHECKPOINT_ENABLED=true MILLRACE_BACKFILL_CHECKPOINT_SHRINK=0.02 \
        MILLRACE_BACKFILL_CHECKPOINT_THRESHOLD=10m MILLRACE_BACKFILL_CHECKPOINT_COST=20s \
        MILLRACE_BACKFILL_CHECKPOINT_RESTART_COST=5s
    tell_story ProveCheckpointBackfill "$clusters" "$(whole_cluster_for_each "$clusters")"
}

# The same story twice: on alpha Millrace takes jobs off their cores, on beta Slurm does, by the QoS that the agent keeps.
prove_quota() {
    local clusters=$home/prove/clusters.of-the-proof
    need_live "${accounting_packages[@]}"
    begin_story
    start_lab alpha,beta --accounting
    echo native >"$(<"$stack/lab")/beta/etc/millrace.control"
    { slurm_cluster alpha && echo "$(slurm_cluster beta) control=native"; } >"$clusters"
    printf 'preemption:\n  modes: [checkpoint, requeue]\n  restart-cost: 1s\n' >"$stack/preemption.yaml"
    export MILLRACE_QUOTA_PREEMPTION_FILE=$stack/preemption.yaml
    tell_story ProveQuota "$clusters" "$(half_for_each "$clusters")"
}

# A stack of its own, that ends with the proof.
begin_story() {
    use_stack prove
    if stack_runs; then die 'this proof runs already; stop it there with Ctrl-C, or here: ./millrace down'; fi
    find_jdk
    fresh_stack
    guard
    trap 'stop_stack' EXIT
    trap 'exit 130' INT TERM HUP
    build_if_needed
}

# Its end is the proof's: 0 if every promise was kept.
tell_story() { # class, file of clusters, file of quotas
    local verdict=0
    start_stack "$2" "$3"
    if [[ -t 1 ]]; then export MILLRACE_TERMINAL=1; fi
    run_main deploy/story "io.millrace.story.$1" "$stack/site.properties" || verdict=$?
    say "what the parts said lies in $stack/logs"
    return "$verdict"
}

half_for_each() { # file of clusters
    quotas_for_each $((lab_nodes * lab_cpus / 2)) "$1"
}

# Everybody within quota: nobody's job is borrowed, so none outranks another.
whole_cluster_for_each() { # file of clusters
    quotas_for_each $((lab_nodes * lab_cpus)) "$1"
}

quotas_for_each() { # cores, file of clusters
    local file=$stack/quotas.yaml cluster role user
    echo 'quotas:' >"$file"
    for cluster in $(cluster_names '' "$2"); do
        echo "  $cluster:" >>"$file"
        while read -r role user _; do
            if [[ $role != operator ]]; then echo "    $user: $1" >>"$file"; fi
        done < <(people)
    done
    echo "$file"
}
