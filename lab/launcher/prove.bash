# shellcheck shell=bash
# Proofs that take too long for every test run. One command starts what a proof needs, judges the result and cleans up.

# The table of proofs: name, what it shows and how long it takes.
proofs() {
    cat <<PROOFS
checkpoint           a computation on real Slurm is interrupted three times and ends with the result of an uninterrupted run
                     ([MINUTES OF COMPUTING] [SECONDS BETWEEN CHECKPOINTS]; 5 and 30)
checkpoint-backfill  the whole stack on a real Slurm cluster: reservation, backfill on a shrunk estimate, checkpoint when
                     the reservation is due, start of the head job on time, restart to the correct result; 6 minutes
crash                every case of the crash and acceptance tests, of which 'test' runs a sample: the agent is killed before, during
                     and after each of its commands, on the embedded cluster and on real Slurm; 10 minutes
attacks              every test that tries an attack (docs/security.md), with the whole lists of which 'test' runs a sample; lists the
                     attacks with their results ([MODULE...]; all); 15 minutes
quota                two users share two real Slurm clusters; Millrace preempts on one, Slurm's QoS preempt on the other. A job within
                     quota starts at once, no job within quota is preempted, work that can be checkpointed is; 6 minutes
broker-kills         the broker of a stack of embedded clusters, or one of several at a time, is killed while users submit jobs: how long
                     each service stops, and whether every job ran once ([KILLS] [SEED] [BROKERS]; 50, random, 1); about 30 s for
                     each kill
migration            jobs move between two real Slurm clusters on separate hosts, with a link of 200 Mbit/s: a batch that shares a grid file,
                     a link that is cut, a full disk, and agents, migration-service and transfer-service killed in each state of a job.
                     Writes docs/experiments/migration-proof.md ([SEED] [MIB OF THE GRID] [JOBS]; random, 1024, 40); 20 minutes
faults               random parts of a stack of embedded clusters are killed or stopped while users submit jobs; as root also: full
                     disk and cut links of agents. Writes docs/experiments/faults.md ([MINUTES] [SEED] [CLUSTERS] [JOBS]; 60, random,
                     3, one job every 2 s). The large campaign: prove faults 600 1 5 10000
live                 live workload managers of several kinds at once, real Slurm among them: agents and the servers of the workload managers are
                     killed while four users submit jobs with data. FILE lists the clusters of the other kinds (lab/launcher/prove.bash
                     describes it). Writes docs/experiments/live.md ([FILE] [JOBS] [SEED]; none, 200, random); 15 minutes
clients              clients for Java, Python and TypeScript are generated from docs/openapi.yaml and compile; each submits a job, is refused
                     with a problem document, and sees the end of its job; requires Python, node and npm
workflows            a workflow of 50 steps with dependencies runs on three clusters, as root real Slurm, by GNU Make, Snakemake and Nextflow, as far
                     as they are installed, with the commands of Slurm in front of PATH; each result is compared with that of a run
                     without clusters ([make|snakemake|nextflow]; all); 3 minutes each
packages             the eight commands of the operator guide on two clean hosts (Debian in folders, with systemd): packages, services, a real
                     Slurm cluster that joins, a job; then upgrade, leave, remove and purge ([FOLDER WITH PACKAGES]; made); 15 minutes
pass                 the cost of one poll of a full Slurm queue by the agent ([JOBS] [POLLS] [directed|native]; 10000, 5, native)
PROOFS
}

verb_prove() { # name, its arguments
    local name=${1-}
    shift || true
    case $name in
        '') proofs ;;
        checkpoint | pass | checkpoint-backfill | crash | attacks | quota | broker-kills | migration | faults | live | clients | workflows | packages) "prove_${name//-/_}" "$@" ;;
        *) die "unknown proof '$name'; the proofs are: $(proofs | sed -nE 's/^([a-z-]+) .*/\1/p' | paste -sd' ')" ;;
    esac
}

need_live() { # further packages; programs they bring
    ((EUID == 0)) || die 'this proof runs real Slurm, which requires root: slurmd starts jobs as their owners'
    if can_install; then install_live_packages "$@" || true; fi
    live_ready || die "this proof needs real Slurm: install ${live_packages[*]} $*"
}

prove_checkpoint() {
    need_live
    find_jdk
    "$root/lab/launcher/prove-checkpoint" "$@"
}

prove_crash() {
    (($# == 0)) || die "prove crash: unknown argument '$1'; it accepts none"
    need_live "${accounting_packages[@]}"
    begin_stack prove 'a proof'
    mkdir -p "$stack/lanes"
    build_for_tests -Dquick || die "the build failed; its log is $stack/lanes/build.log"
    MILLRACE_TEST_WHOLE=true run_lanes sampled || die "tests failed; the logs are in $stack/lanes"
    say "${green}all crash and acceptance tests passed${plain}"
}

prove_attacks() { # modules, or nothing for all
    local verdict=0 module
    for module in "$@"; do
        [[ -d $root/$module/src/test/java ]] || die "prove attacks: '$module' is not a module with tests, such as lab/attacks"
    done
    begin_stack prove 'a proof'
    prepare_live_tests
    need_rsync
    mkdir -p "$stack/lanes"
    build_for_tests -Dquick || die "the build failed; its log is $stack/lanes/build.log"
    test_filter=(--attacks) only_modules=("$@")
    MILLRACE_TEST_WHOLE=true run_lanes attacks || verdict=1
    list_attacks || verdict=1
    ((verdict == 0)) || die "attacks succeeded or tests failed; the logs are in $stack/lanes"
    say "${green}every attack was withstood${plain}"
}

# Lists each attack with the result of its tests, and their count. Fails if one of them succeeded, or none was tried.
list_attacks() {
    local attacks line
    attacks=$(grep -ahoE '^\[attack\] .*' "$stack"/lanes/*.log | sed 's/^\[attack\] //' | sort -t: -k2)
    say "${bold}attacks${plain}"
    while IFS= read -r line; do say "  $line"; done <<<"$attacks"
    say "$(awk -F'[( ]+' '
        /^held/ { held++ } /^BROKEN/ { broken++ } /^skipped/ { skipped++ } { cases += $(NF - 1) }
        END { printf "%d attacks in %d cases: %d held, %d broken, %d skipped", NR, cases, held, broken, skipped }' <<<"$attacks")"
    [[ -n $attacks && $attacks != *BROKEN:* ]]
}

prove_pass() {
    need_live "${accounting_packages[@]}"
    run_with_parts "$root/lab/launcher/bench-pass" "$@"
}

# One Slurm cluster under Millrace's control, and backfill-service with checkpoint backfill. All jobs are within quota, so only the order of the queue decides.
prove_checkpoint_backfill() {
    local clusters=$home/prove/clusters.of-the-proof
    need_live
    begin_story
    start_lab alpha
    slurm_cluster alpha >"$clusters"
    export MILLRACE_BACKFILL_CHECKPOINT_ENABLED=true MILLRACE_BACKFILL_CHECKPOINT_SHRINK=0.02 \
        MILLRACE_BACKFILL_CHECKPOINT_THRESHOLD=10m MILLRACE_BACKFILL_CHECKPOINT_COST=20s \
        MILLRACE_BACKFILL_CHECKPOINT_RESTART_COST=5s
    tell_story proof.ProveCheckpointBackfill "$clusters" "$(whole_cluster_for_each "$clusters")"
}

# The same scenario on two clusters: on alpha Millrace preempts, on beta Slurm does, by the QoS that the agent maintains.
prove_quota() {
    local clusters=$home/prove/clusters.of-the-proof
    need_live "${accounting_packages[@]}"
    begin_story
    start_lab alpha,beta --accounting
    echo native >"$(<"$stack/lab")/beta/etc/millrace.control"
    { slurm_cluster alpha && echo "$(slurm_cluster beta) control=native"; } >"$clusters"
    printf 'preemption:\n  modes: [checkpoint, requeue]\n  restart-cost: 1s\n' >"$stack/preemption.yaml"
    export MILLRACE_QUOTA_PREEMPTION_FILE=$stack/preemption.yaml
    tell_story proof.ProveQuota "$clusters" "$(half_for_each "$clusters")"
}

prove_broker_kills() { # [kills] [seed] [brokers]
    local clusters=$root/deploy/launcher/clusters.conf seed=${2:-$((EPOCHSECONDS % 1000000))}
    broker_count=${3:-1}
    [[ $broker_count =~ ^[13]$ ]] || die "prove broker-kills: BROKERS must be 1 or 3, not '$broker_count'"
    begin_story
    say "seed $seed"
    # Each record has a copy on each broker.
    export MILLRACE_KAFKA_REPLICATION=$broker_count
    tell_story fault.ProveBrokerKills "$clusters" "$(whole_cluster_for_each "$clusters")" "${1:-50}" "$seed"
}

prove_migration() { # [seed] [MiB of the grid] [jobs]
    local seed=${1:-$((EPOCHSECONDS % 1000000))} grid=${2:-1024} jobs=${3:-40} number
    for number in "$seed" "$grid" "$jobs"; do
        [[ $number =~ ^[1-9][0-9]{0,8}$ ]] || die "prove migration: '$number' must be a whole number of at least 1"
    done
    ((jobs <= 400)) || die "prove migration: at most 400 jobs"
    need_live iproute2 xfsprogs
    command -v mkfs.xfs >/dev/null || die "this proof needs 'mkfs.xfs'; install xfsprogs"
    begin_story
    say "seed $seed"
    start_moving_stack "$((4 * grid + 4096))"
    watch_story migration.ProveMigration "$seed" "$grid" "$jobs" "$root/docs/experiments/migration-proof.md"
}

# Two real Slurm clusters on separate hosts. Every user's quota covers both, so only the target decides where a job runs.
start_moving_stack() { # MiB of each host's file system, or nothing for a small one in memory
    local clusters=$stack/clusters.of-hosts cluster
    start_hosts "$1" home away
    for cluster in home away; do start_lab_on_host "$cluster"; done
    for cluster in home away; do host_cluster "$cluster"; done >"$clusters"
    start_stack "$clusters" "$(whole_cluster_for_each "$clusters")"
}

prove_faults() { # [minutes] [seed] [clusters] [jobs]
    local -i minutes=${1:-60} seed=${2:-$((EPOCHSECONDS % 1000000))} number=${3:-3} at
    local -i jobs=${4:-$((minutes * 30))}
    # The disk of broker and database: 100 kB of records for each job, with room for the broker's own.
    local -i disk_mb=$((1024 + jobs / 5))
    local clusters=$home/prove/clusters.of-the-proof
    ((minutes > 0 && number > 0 && number <= 20 && jobs > 0)) || die 'prove faults: MINUTES, CLUSTERS (at most 20) and JOBS must be numbers above zero'
    begin_story
    # The parts are alone on the machines of a site.
    ((EUID != 0)) || prefer_parts
    for ((at = 1; at <= number; at++)); do echo "c$at local local.nodes=16 local.cores-per-node=8"; done >"$clusters"
    write_class_archives "$clusters"
    say "seed $seed"
    if ((EUID == 0)); then
        choose_links "$clusters"
        mkdir -p "$stack/data"
        mount -t tmpfs -o "size=${disk_mb}m,mode=700" millrace "$stack/data" || warn 'cannot mount a tmpfs; no fault fills the disk'
        trap 'stop_stack; restore_links; umount "$stack/data" 2>/dev/null || true' EXIT
    fi
    tell_story fault.ProveFaults "$clusters" "$(quotas_for_each 128 "$clusters")" "$minutes" "$seed" "$number" "$jobs" \
        "$root/docs/experiments/faults.md"
}

# A JVM writes its class archive when it ends, but not if it is killed: without archives, each start of the campaign would be a slow one.
write_class_archives() { # file of clusters
    local folder
    if [[ -n $(find "$home/cache" -name "agent-$java_version.jsa*" 2>/dev/null) ]]; then return; fi
    say 'the parts start and end once, to write their class archives'
    start_stack "$1" "$(whole_cluster_for_each "$1")"
    stop_stack
    trap 'exit 130' INT TERM HUP
    for folder in data shared parts logs; do remove_tree "${stack:?}/$folder"; done
}

# An address of the broker for each agent, on the loopback interface. A route to nowhere cuts the link, without an effect on others.
choose_links() { # file of clusters
    local name port at=0 net=127.$((RANDOM % 200 + 20)).$((RANDOM % 250))
    : >"$stack/links"
    for name in $(cluster_names agent- "$1"); do
        at=$((at + 1))
        free_port port
        echo "$name=$net.$at:$port" >>"$stack/links"
    done
}

restore_links() {
    local address
    while IFS='=:' read -r _ address _; do
        ip route del blackhole "$address/32" table local 2>/dev/null || true
    done <"$stack/links"
}

# FILE is a file of clusters (deploy/launcher/clusters.conf) with two more words in each line:
#   restart=PROGRAM                 kills the servers of the workload manager with SIGKILL and starts them again
#   host=PID,ADDRESS,BROKER         the agent runs in the network, mount and UTS namespaces of this process, at this address; it reaches the
#                                   broker at the address BROKER of this machine. Without it, the agent runs beside the control plane
prove_live() { # [file of clusters] [jobs] [seed]
    local given=${1-} jobs=${2:-200} seed=${3:-$((EPOCHSECONDS % 1000000))} name adapter word
    local clusters=$home/prove/clusters.of-the-proof
    local -a words programs=()
    [[ -z $given || -r $given ]] || die "prove live: cannot read the file of clusters $given"
    need_live
    lab_users=mr-alice,mr-bob,mr-carol,mr-dave
    begin_story
    say "seed $seed"
    start_lab slurm
    slurm_cluster slurm >"$clusters"
    programs+=("slurm=$(restart_program slurm)")
    mkdir -p "$stack/pids"
    while read -ra words; do
        for word in "${words[@]}"; do
            case $word in
                restart=*) programs+=("${words[0]}=${word#*=}") ;;
                host=*) given_host "${words[0]}" "${word#*=}" ;;
                *) printf '%s ' "$word" >>"$clusters" ;;
            esac
        done
        echo >>"$clusters"
    done < <(cluster_lines "${given:-/dev/null}")
    for adapter in slurm pbspro torque lsf; do
        name=$(awk -v adapter="$adapter" '$2 == adapter { print $1 }' "$clusters" | paste -sd' ')
        say "$adapter: ${name:-left out, because the file of clusters has none}"
    done
    tell_story fault.ProveLive "$clusters" "$(whole_cluster_for_each "$clusters")" "$seed" "$jobs" "$root/docs/experiments/live.md" "${programs[@]}"
}

given_host() { # cluster, PID,ADDRESS,BROKER
    local pid address broker port
    IFS=, read -r pid address broker <<<"$2"
    free_port port
    touch "$stack/parts"
    echo "$pid $(process_start "$pid")" >"$stack/pids/host-$1"
    echo "$1 - $address $address" >>"$stack/hosts"
    echo "agent-$1=$broker:$port" >>"$stack/links"
}

# Writes a program that kills the server of a cluster of the lab and starts it again; prints its path.
restart_program() { # cluster
    local file=$stack/restart-$1 lab
    lab="$root/lab/slurm/slurm-lab"
    printf '#!/bin/sh\n%q stop --dir %q %q\nsleep 3\n%q start --dir %q %q\n' \
        "$lab" "$(<"$stack/lab")" "$1.slurmctld" "$lab" "$(<"$stack/lab")" "$1.slurmctld" >"$file"
    chmod 755 "$file"
    echo "$file"
}

prove_clients() {
    local clusters=$root/deploy/launcher/clusters.conf user folder cluster token
    local -a as=()
    (($# == 0)) || die "prove clients: unknown argument '$1'; it accepts none"
    for user in python3 node npm; do
        command -v "$user" >/dev/null || die "this proof needs $user: install python3, python3-venv, nodejs and npm"
    done
    begin_story
    say 'generating and compiling the clients'
    "$root/deploy/interfaces/generate"
    start_stack "$clusters"
    read -r _ user folder _ < <(people)
    if ((EUID == 0)); then as=(--as "$user"); else user=$(id -un) folder=$stack/client; fi
    cluster=$(cluster_names | head -n 1)
    mkdir -p "$stack/client" && folder=$folder/millrace-clients
    install -d -m 700 ${as[0]+-o "$user" -g "$user"} "$folder"
    MILLRACE_API=$(api_url) MILLRACE_LOGIN_SOCKET=$(login_socket "$cluster") MILLRACE_TOKEN_FILE=$stack/client/token \
        "$root/cli/bin/mglogin" "${as[@]}"
    token=$(<"$stack/client/token")
    submit_with Java "$JAVA_HOME/bin/java" -cp "$root/target/clients/java/classes:$root/submit-service/target/quarkus-app/lib/main/*" \
        Submit "$(api_url)" "$token" "$cluster" "$folder"
    submit_with Python "$root/target/clients/python-env/bin/python" "$root/deploy/interfaces/clients/submit.py" \
        "$(api_url)" "$token" "$cluster" "$folder"
    submit_with TypeScript node "$root/target/clients/typescript/built/submit.js" "$(api_url)" "$token" "$cluster" "$folder"
    say "${green}every client submitted a job and saw its end${plain}"
}

prove_workflows() { # program
    local program user folder file ran=0
    local -a as=() clusters
    case ${1-} in
        '' | make | snakemake | nextflow) (($# < 2)) || die "prove workflows: unknown argument '$2'" ;;
        *) die "prove workflows: unknown program '$1'; use make, snakemake or nextflow" ;;
    esac
    begin_story
    choose_lab
    file=$root/deploy/launcher/clusters.conf
    if [[ $lab == yes ]]; then
        start_lab alpha,beta,gamma
        file=$stack/workflow-clusters.conf
        for program in alpha beta gamma; do slurm_cluster "$program"; done >"$file"
    fi
    start_stack "$file"
    read -r _ user folder _ < <(people)
    if ((EUID == 0)); then as=(runuser -u "$user" --); else folder=$stack/workflows; fi
    read -ra clusters <<<"$(cluster_names | head -n 3 | paste -sd' ')"
    for program in ${1:-make snakemake nextflow}; do
        if ! command -v "$program" >/dev/null; then
            say "$program is not installed"
            continue
        fi
        say "$program"
        # shellcheck disable=SC2016
        "${as[@]}" env HOME="$folder" bash -c 'cd && . "$1" && PATH=$2:$PATH exec "${@:3}"' - "$(shared_folder)/env" "$root/cli/slurm" \
            "$root/lab/workflows/run" "$program" "$folder/workflows-$$" "${clusters[@]}" ||
            die "the workflow of $program failed or has another result; logs: $stack/logs"
        ran=$((ran + 1))
    done
    ((ran > 0)) || die 'no program is installed: install make, snakemake or nextflow'
    say "${green}every workflow ran on three clusters and has the expected result${plain}"
}

submit_with() { # language, command...
    local answer
    answer=$("${@:2}") || die "the $1 client failed; logs: $stack/logs"
    say "  $1: $answer"
    [[ $answer == 'End '*' exit code 0' ]] || die "the job of the $1 client did not succeed; logs: $stack/logs"
}

# A separate stack that stops when the proof ends.
begin_story() {
    begin_stack prove 'a proof'
    build_if_needed
}

# Returns 0 if every promise was kept.
tell_story() { # class, file of clusters, file of quotas, further arguments...
    start_stack "$2" "$3"
    watch_story "$1" "${@:4}"
}

watch_story() { # class, further arguments...
    local verdict=0
    if [[ -t 1 ]]; then export MILLRACE_TERMINAL=1; fi
    run_main lab/campaigns "io.millrace.lab.campaigns.$1" "$stack/site.properties" "${@:2}" || verdict=$?
    say "logs: $stack/logs"
    return "$verdict"
}

half_for_each() { # file of clusters
    quotas_for_each $((lab_nodes * lab_cpus / 2)) "$1"
}

# Every user's quota covers the whole cluster, so no job is borrowed.
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
