# shellcheck shell=bash
# Proofs that take too long for every test run: each is brought up, watched and judged by one command, and cleans up after itself.

# A line each: name, what it shows and how long that takes.
proofs() {
    cat <<PROOFS
checkpoint           a computation on real Slurm, cut three times, ends with the result of an uninterrupted run
                     ([MINUTES OF COMPUTING] [SECONDS BETWEEN CHECKPOINTS]; 5 and 30)
checkpoint-backfill  the whole stack on a real Slurm cluster: reservation, backfill on a shrunk estimate, checkpoint when
                     the reservation is due, head start on time, restart to the right result; 6 minutes
pass                 what one look of the agent at a full Slurm queue costs ([JOBS] [LOOKS] [directed|native]; 10000, 5, native)
PROOFS
}

verb_prove() { # name, its arguments
    local name=${1-}
    shift || true
    case $name in
        '') proofs ;;
        checkpoint | pass | checkpoint-backfill) "prove_${name//-/_}" "$@" ;;
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
    local clusters=$home/prove/clusters.of-the-proof verdict=0
    need_live
    use_stack prove
    if stack_runs; then die 'this proof runs already; stop it there with Ctrl-C, or here: ./millrace down'; fi
    find_jdk
    fresh_stack
    guard
    trap 'stop_stack' EXIT
    trap 'exit 130' INT TERM HUP
    build_if_needed
    start_lab alpha
    slurm_cluster alpha >"$clusters"
    export MILLRACE_BACKFILL_CHECKPOINT_ENABLED=true MILLRACE_BACKFILL_CHECKPOINT_SHRINK=0.02 \
        MILLRACE_BACKFILL_CHECKPOINT_THRESHOLD=10m MILLRACE_BACKFILL_CHECKPOINT_COST=20s \
        MILLRACE_BACKFILL_CHECKPOINT_RESTART_COST=5s
    start_stack "$clusters" "$(whole_cluster_for_each "$clusters")"
    if [[ -t 1 ]]; then export MILLRACE_TERMINAL=1; fi
    run_main deploy/story io.millrace.story.ProveCheckpointBackfill "$stack/site.properties" || verdict=$?
    say "what the parts said lies in $stack/logs"
    return "$verdict"
}

# Everybody within quota: nobody's job is borrowed, so none outranks another.
whole_cluster_for_each() { # file of clusters
    local file=$stack/quotas.yaml cluster role user
    echo 'quotas:' >"$file"
    for cluster in $(cluster_names '' "$1"); do
        echo "  $cluster:" >>"$file"
        while read -r role user _; do
            if [[ $role != operator ]]; then echo "    $user: $((lab_nodes * lab_cpus))" >>"$file"; fi
        done < <(people)
    done
    echo "$file"
}
