# shellcheck shell=bash
# The parts of a stack: how each is started, and when it is ready.

readonly adapters=(local slurm pbspro openpbs torque lsf)

# All stacks of a folder, in the order in which 'status' and 'logs' look for a running one.
readonly stacks=(demo stack prove bench)
readonly services=(quota classifier backfill migration transfer submit)
broker_count=1 # of a new stack; 'prove broker-kills' changes it

# Only the user who started a stack may change it: its files say what is killed and removed.
own_stack() {
    [[ ! -e $stack || -O $stack ]] ||
        die "the stack in $stack belongs to user '$(stat -c %U "$stack")'; run this command as that user"
}

need_home() {
    mkdir -p "$home" 2>/dev/null && [[ -O $home && -w $home ]] ||
        die "cannot write to the folder $home as user '$(id -un)'; set MILLRACE_HOME to a folder of your own"
    need_space "$home" 900
}

need_space() { # folder, MB
    local free
    free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
    ((free >= $2)) || die "$free MB are free in $1, but $2 MB are needed; remove files there, or set MILLRACE_HOME to a folder on another disk"
}

# Begins a new stack that stops when the launcher ends.
begin_stack() { # name, what runs on it
    use_stack "$1"
    own_stack
    if stack_runs; then die "$2 is already running; stop it with Ctrl-C in its terminal, or with: $(command_line down)"; fi
    find_jdk
    need_home
    forget_settings
    check_settings
    fresh_stack
    guard
    trap 'stop_stack' EXIT
    trap 'exit 130' INT TERM HUP
}

fresh_stack() {
    remove_traces
    remove_tree "${stack:?}"
    mkdir -p "$stack"
}

stack_runs() { [[ -e $stack/parts ]] && any_alive; }

any_alive() {
    local part
    while read -r part; do if alive "$part"; then return 0; fi; done <"$stack/parts"
    return 1
}

api_url() { echo "http://127.0.0.1:$(port_of submit)"; }

port_of() { sed -n "s/^$1=//p" "$stack/ports"; }

start_stack() { # file of clusters, file of quotas or nothing
    local started part
    now_ms started
    check_clusters "$1"
    need_rsync
    mkdir -p "$stack"/{pids,logs,data/trusted-keys} "$home/cache"
    chmod 700 "$stack"/{pids,logs,data}
    if ((EUID == 0)); then create_people; fi
    [[ -e $stack/hosts ]] || : >"$stack/parts" # separate hosts are parts that run already
    choose_profile
    cp "$1" "$stack/clusters.conf"
    choose_ports
    start_brokers
    start_mariadb
    for part in $(brokers); do await_line "$part" '^ready ' 900; done
    # shellcheck disable=SC2046
    grant_access "${services[@]}" $(cluster_names agent-)
    start_services "${2-}"
    start_agents
    await_healthy
    release_claims
    write_site
    say "${bold}up after $(since "$started")${plain}"
}

choose_ports() {
    local name port
    local -a brokers
    : >"$stack/ports"
    choose_brokers
    for name in "${brokers[@]}" mariadb "${services[@]}" $(cluster_names agent-); do
        case $name in
            submit)
                if [[ -z ${MILLRACE_API_PORT-} ]] && claim 7070; then port=7070; else
                    free_port port "${MILLRACE_API_PORT-}" MILLRACE_API_PORT
                fi
                ;;
            kafka) free_port port "${MILLRACE_KAFKA_PORT-}" MILLRACE_KAFKA_PORT ;;
            *) free_port port ;;
        esac
        echo "$name=$port" >>"$stack/ports"
    done
    free_port port
    echo "submit=$port" >"$stack/management"
}

# The port of a part's health and metrics; that of submit is not the port of its API.
management_port_of() { # part
    local port
    port=$(sed -n "s/^$1=//p" "$stack/management" 2>/dev/null) || true
    echo "${port:-$(port_of "$1")}"
}

# Sets brokers to their names. Several brokers form a cluster, in which each is also a controller, at an address that it keeps.
choose_brokers() {
    local port
    local -i at
    brokers=(kafka)
    rm -f "$stack/controllers"
    ((broker_count > 1)) || return 0
    for ((at = 2; at <= broker_count; at++)); do brokers+=("kafka-$at"); done
    for ((at = 1; at <= broker_count; at++)); do
        free_port port
        echo "127.0.0.1:$port" >>"$stack/controllers"
    done
}

# The JVM option for the class archive (class data sharing) that all parts of a kind share. A JVM that starts without an archive writes one
# to a separate file when it ends, because parts of a kind end at the same time and any of them may be killed. The next start uses a
# complete file. An archive older than the jar is deleted.
class_archive() { # part, its jar
    local archive=$home/cache/${1%%-*}-$java_version.jsa written
    if [[ $archive -ot $2 ]]; then rm -f "$archive"; fi
    for written in "$archive".*; do
        if [[ $written -ot $2 ]]; then
            rm -f "$written"
        elif is_whole_archive "$written"; then
            mv -f "$written" "$archive"
        fi
    done
    if [[ -e $archive ]]; then
        echo "-XX:SharedArchiveFile=$archive"
    else
        echo "-XX:ArchiveClassesAtExit=$(mktemp -u "$archive.$1.XXXXXX")"
    fi
}

is_whole_archive() { [[ $(od -An -N4 -tx4 "$1" 2>/dev/null) == *f00baba8 ]]; }

# ---- broker and database -----------------------------------------------------------------------------------------------

embedded_part() { # part, class and arguments...
    local name=$1 classes archive
    local -a options
    mapfile -t options < <(jvm_options "$name")
    shift
    classes=$(class_path deploy/embedded)
    archive=$(class_archive "$name" "${classes%%:*}")
    launch "$name" env MALLOC_ARENA_MAX=2 "$JAVA_HOME/bin/java" "${options[@]}" "$archive" -cp "$classes" "$@"
}

# The brokers of this stack: kafka, kafka-2...
brokers() { sed -nE 's/^(kafka(-[0-9]+)?)=.*/\1/p' "$stack/ports"; }

start_brokers() {
    local part
    for part in $(brokers); do start_broker "$part"; done
}

start_broker() { # part
    local node=${1#kafka}
    local -a place=("--links=$(cut -d= -f2 "$stack/links" 2>/dev/null | paste -sd,)")
    if [[ -e $stack/controllers ]]; then
        node=${node#-}
        place=("--node=${node:-1}" "--controllers=$(paste -sd, "$stack/controllers")")
    fi
    write_kafka_login millrace "$(kafka_login)"
    mkdir -p "$(accounts)"
    embedded_part "$1" io.millrace.embedded.EmbeddedKafka "--data=$stack/data/$1" "--port=$(port_of "$1")" \
        "--client-properties=$(kafka_login)" "--accounts=$(accounts)" "${place[@]}"
}

# The brokers as a part reaches them. 'prove faults' gives each agent an address of the broker of its own, so that its link can be cut.
brokers_of() { # part
    local link
    link=$(sed -n "s/^$1=//p" "$stack/links" 2>/dev/null) || true
    echo "${link:-$(sed -nE 's/^kafka(-[0-9]+)?=/127.0.0.1:/p' "$stack/ports" | paste -sd,)}"
}

# The login of the account that may do everything, which broker, measurements and tools use. Only its user can read it: who can write
# commands can act as any user.
kafka_login() { echo "$stack/data/kafka-client.properties"; }

# A file for each part's own account. The broker reads the files too, so an account needs nothing else.
accounts() { echo "$stack/data/accounts"; }

login_of() { echo "$(accounts)/millrace-$1.properties"; } # part

write_kafka_login() { # account, file
    [[ ! -s $2 ]] || return 0
    (
        umask 077
        mkdir -p "$(dirname "$2")"
        cat >"$2.new" <<LOGIN
security.protocol=SASL_PLAINTEXT
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="$1" password="$(random_secret)";
LOGIN
        mv "$2.new" "$2"
    )
}

# Gives parts an account at the broker, with the rights of the access table.
grant_access() { # part...
    local part
    run_main deploy/story io.millrace.log.access.BrokerAccounts grant "--bootstrap-server=$(brokers_of launcher)" \
        "--command-config=$(kafka_login)" "$@" >>"$stack/logs/accounts.log" 2>&1 ||
        die "cannot give the parts their accounts at the broker; log: $stack/logs/accounts.log"
    for part in "$@"; do write_kafka_login "millrace-$part" "$(login_of "$part")"; done
}

random_secret() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# The JVM that sets up the server ends; only the server keeps running.
start_mariadb() {
    local secret=$stack/data/database-password
    if [[ ! -s $secret ]]; then
        (umask 077 && random_secret >"$secret")
    fi
    MILLRACE_DB_PASSWORD=$(<"$secret") embedded_part mariadb-start \
        io.millrace.embedded.EmbeddedMariaDb "--data=$stack/data/mariadb" "--programs=$home/cache/mariadb" \
        "--port=$(port_of mariadb)" --database=millrace --detach
}

adopt_mariadb() {
    local pid
    await_line mariadb-start '^ready ' 900
    pid=$(sed -n 's/^ready mariadb .* pid //p' "$stack/logs/mariadb-start.log" | tail -n 1)
    echo "$pid $(process_start "$pid")" >"$stack/pids/mariadb"
    ln -sf "$stack/data/mariadb/mariadbd.log" "$stack/logs/mariadb.log"
    sed -i 's/^mariadb-start$/mariadb/' "$stack/parts"
}

# Waits for a line in a part's log; fails if the part ends or the time is over.
await_line() { # part, pattern, seconds
    local until=$((SECONDS + $3))
    until grep -qsE "$2" "$stack/logs/$1.log"; do
        if ! alive "$1" && ! grep -qsE "$2" "$stack/logs/$1.log"; then part_failed "$1" 'ended before it was ready'; fi
        ((SECONDS < until)) || part_failed "$1" "was not ready after $3 s"
        sleep 0.05
    done
}

part_failed() { # part, what happened
    { reasons "$stack/logs/$1.log" || tail -n 20 "$stack/logs/$1.log"; } | sed "s/^/  ${dim}/; s/\$/${plain}/" >&2
    die "$1 $2; log: $stack/logs/$1.log"
}

# The reason of a failed start from the log, without stack traces; fails if there is none.
reasons() { # log
    sed -n '/Failed to start application/,/^20[0-9][0-9]-/s/^Caused by: [[:alnum:]_.$]*: //p' "$1" | grep .
}

# ---- services and agents -----------------------------------------------------------------------------------------------

quarkus_part() { # part, folder of the application, NAME=value..., then -- and system properties
    local name=$1 app=$root/$2/target/quarkus-app/quarkus-run.jar archive
    local brokers
    brokers=$(brokers_of "$name")
    local -a at settings=("MILLRACE_KAFKA_BOOTSTRAP_SERVERS=$brokers"
        "MILLRACE_KAFKA_CLIENT_PROPERTIES=$(login_of "$name")"
        "QUARKUS_BANNER_ENABLED=false" "QUARKUS_HTTP_HOST=$(address_of "$name")" "QUARKUS_HTTP_PORT=$(port_of "$name")")
    local -a chosen options
    mapfile -t chosen < <(settings)
    mapfile -t options < <(jvm_options "$name")
    shift 2
    while (($#)) && [[ $1 != -- ]]; do
        settings+=("$1")
        shift
    done
    [[ ${1-} != -- ]] || shift
    warn_of_overridden "$name" "${settings[@]}"
    settings=("${chosen[@]}" "${settings[@]}")
    archive=$(class_archive "$name" "$app")
    on_host at "$name"
    # A folder of its own: in the shared one, any user can take the names that a part needs.
    (umask 077 && mkdir -p "$stack/tmp/$name")
    launch "$name" "${at[@]}" env MALLOC_ARENA_MAX=2 "${settings[@]}" "$JAVA_HOME/bin/java" "${options[@]}" \
        "$archive" "-Djava.io.tmpdir=$stack/tmp/$name" -Djava.util.logging.manager=org.jboss.logmanager.LogManager "$@" -jar "$app"
}

start_services() { # file of quotas or nothing
    local name
    if [[ -n ${1-} ]]; then export MILLRACE_QUOTA_FILE=$1; fi
    forget_settings
    remember_settings
    for name in "${services[@]}"; do start_service "$name"; done
}

start_service() { # name
    case $1 in
        submit) start_submit ;;
        *) quarkus_part "$1" "$1-service" "MILLRACE_KAFKA_INSTANCE=$1" ;;
    esac
}

# Users log in at the first cluster, whose key may therefore vouch for the operator and for jobs from all clusters.
write_issuers() {
    local issuer
    [[ -n $(cluster_names) ]] || echo 'issuers: {}'
    [[ -z $(cluster_names) ]] || echo 'issuers:'
    while read -r issuer; do
        printf '  %s:\n' "$issuer"
        [[ $issuer != "$(cluster_names | head -n 1)" ]] ||
            printf '    %s\n' 'operators: true' "users: [$(id -un), \"*\"]" 'sources: "*"'
    done < <(cluster_names)
}

# The user who starts the stack, and those in the settings.
operators() {
    local set
    set=$(settings | sed -n 's/^MILLRACE_SUBMIT_OPERATORS=//p' | tail -n 1)
    echo "$(id -un)${set:+,$set}"
}

start_submit() {
    [[ -e $stack/pids/mariadb ]] || adopt_mariadb
    write_issuers >"$stack/data/issuers.yaml"
    # The password is passed in the environment, because every user can read arguments.
    QUARKUS_DATASOURCE_PASSWORD=$(<"$stack/data/database-password") \
        quarkus_part submit submit-service "QUARKUS_DATASOURCE_USERNAME=millrace" \
        "QUARKUS_DATASOURCE_JDBC_URL=jdbc:mariadb://127.0.0.1:$(port_of mariadb)/millrace" \
        "MILLRACE_SUBMIT_KEY_DIR=$stack/data/keys" "MILLRACE_SUBMIT_TRUSTED_KEYS_DIR=$stack/data/trusted-keys" \
        "MILLRACE_SUBMIT_ISSUERS_FILE=$stack/data/issuers.yaml" "MILLRACE_SUBMIT_OPERATORS=$(operators)" \
        "QUARKUS_MANAGEMENT_PORT=$(management_port_of submit)"
}

# clusters.conf: a line per cluster, "name adapter key=value..."; each key becomes millrace.agent.<key>.
cluster_lines() { sed -E 's/#.*//; /^[[:space:]]*$/d' "${1-$stack/clusters.conf}"; }

cluster_names() { cluster_lines ${2:+"$2"} | sed -E "s/^[[:space:]]*([^[:space:]]+).*/${1-}\1/"; } # prefix, file

check_clusters() { # file
    local name adapter
    [[ -r $1 ]] || die "cannot read the file of clusters $1"
    while read -r name adapter _; do
        [[ $name =~ ^[a-z][a-z0-9-]*$ ]] || die "$1: '$name' is not a valid cluster name; use lower-case letters, digits and '-'"
        [[ " ${adapters[*]} " == *" $adapter "* ]] ||
            die "$1: cluster $name: unknown adapter '$adapter'; the adapters are ${adapters[*]}"
    done < <(cluster_lines "$1")
}

start_agents() {
    local -a words
    while read -ra words; do start_agent "${words[@]}"; done < <(cluster_lines)
}

start_agent() { # name, adapter, key=value...
    start_agent_only "$@"
    start_watchdog_of "$@"
}

start_watchdog_of() { # name, adapter, key=value...
    start_watchdog "$1" "$2" "$(shared_folder)/agents/$1" "${@:3}"
}

start_agent_only() { # name, adapter, key=value...
    local name=$1 adapter=$2 run_as=agent word at
    local -a settings=()
    shift 2
    [[ -s $(login_of "agent-$name") ]] || grant_access "agent-$name" # a cluster that joins a running stack
    at=$(shared_folder)/agents/$name
    mkdir -p "$at" "$(dirname "$(login_socket "$name")")"
    chmod 711 "$at"
    if ((EUID == 0)); then run_as=owner; fi
    for word in "$@"; do settings+=("-Dmillrace.agent.$word"); done
    quarkus_part "agent-$name" cluster-agent/service -- "-Dmillrace.agent.cluster=$name" \
        "-Dmillrace.agent.adapter=$adapter" "-Dmillrace.agent.home=$at" "-Dmillrace.agent.local.run-as=$run_as" \
        "-Dmillrace.agent.login-socket=$(login_socket "$name")" \
        "-Dmillrace.agent.login-public-key-dir=$stack/data/trusted-keys" \
        "-Dmillrace.agent.submission-keys=$stack/data/keys/submission-keys.pub.json" \
        "-Dmillrace.agent.accepted-issuers=$(cluster_names | paste -sd, -)" \
        "-Dmillrace.agent.heartbeat-file=$at/heartbeat" "${settings[@]}"
}

# The embedded cluster has none. For a cluster on another host, the site starts the watchdog there (deploy/<workload manager>/README.md).
start_watchdog() { # cluster, adapter, home of its agent, key=value... of the agent
    local name=$1 adapter=$2 folder=$3 word
    local -a at options
    local -A given=()
    shift 3
    for word in "$@"; do given[${word%%=*}]=${word#*=}; done
    if [[ -n ${given[ssh.destination]-} ]]; then
        warn "cluster $name: start the watchdog on ${given[ssh.destination]}"
        return
    fi
    case $adapter in
        slurm)
            options=(--conf "${given[slurm.conf-file]-/etc/slurm/slurm.conf}")
            options+=(--control-file "$(dirname "${options[1]}")/millrace.control")
            ;;
        pbspro | openpbs) adapter=pbs options=(${given[pbs.bin-dir]+--bin "${given[pbs.bin-dir]}"}) ;;
        torque) options=(${given[torque.bin-dir]+--bin "${given[torque.bin-dir]}"}) ;;
        lsf)
            options=(--state "${given[lsf.state-dir]-$folder/lsf}" ${given[lsf.bin-dir]+--bin "${given[lsf.bin-dir]}"}
                ${given[lsf.env-dir]+--env "${given[lsf.env-dir]}"})
            ;;
        *) return ;;
    esac
    on_host at "watchdog-$name"
    launch "watchdog-$name" "${at[@]}" env ${given[pbs.conf-file]+"PBS_CONF_FILE=${given[pbs.conf-file]}"} \
        ${given[pbs.server]+"PBS_SERVER=${given[pbs.server]}"} ${given[torque.server]+"PBS_DEFAULT=${given[torque.server]}"} \
        "$root/deploy/$adapter/millrace-watchdog" --heartbeat "$folder/heartbeat" --heartbeat-timeout 120 "${options[@]}"
}

# ---- health --------------------------------------------------------------------------------------------------------------

http_get() { # port, path, address (127.0.0.1); status line, headers and body
    (
        exec 3<>"/dev/tcp/${3-127.0.0.1}/$1" || exit 1
        printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' "$2" >&3
        timeout 5 cat <&3
    ) 2>/dev/null
}

healthy() { [[ $(http_get "$(management_port_of "$1")" /q/health/ready "$(address_of "$1")" | head -n 1) == *' 200 '* ]]; } # part

await_healthy() {
    local started until=$((SECONDS + 900)) part
    local -a waiting=("${services[@]}")
    mapfile -t -O "${#waiting[@]}" waiting < <(cluster_names agent-)
    now_ms started
    while ((${#waiting[@]})); do
        local -a still=()
        for part in "${waiting[@]}"; do
            if healthy "$part"; then
                say "  ${green}ready${plain} $part, $(since "$started")"
            else
                alive "$part" || part_failed "$part" 'ended before it was ready'
                still+=("$part")
            fi
        done
        waiting=("${still[@]}")
        ((SECONDS < until)) || part_failed "${waiting[0]}" 'was not healthy after 900 s'
        passing "  waiting for ${waiting[*]}"
        ((!${#waiting[@]})) || sleep 0.2
    done
}

stop_stack() {
    local -a parts=() brokers=()
    local started part failed=0
    local -i running=0
    now_ms started
    trap '' INT TERM HUP
    if [[ -e $stack/ports ]]; then mapfile -t brokers < <(brokers); fi
    for part in "${brokers[@]}" mariadb; do if alive "$part"; then running+=1; fi; done
    if [[ -e $stack/parts ]]; then
        mapfile -t parts < <(grep -vxE 'kafka(-[0-9]+)?|mariadb|mariadb-start' "$stack/parts" | sort -u)
    fi
    for part in "${parts[@]}"; do if alive "$part"; then running+=1; fi; done
    passing '  stopping'
    end_parts 20 "${parts[@]}"
    # Of several brokers, the last ones would wait minutes for a majority; their stacks keep no data.
    if ((${#brokers[@]} > 1)); then brokers=(); fi
    end_parts 20 mariadb "${brokers[@]}"
    sweep || failed=1
    if [[ -e $stack/lab ]]; then stop_lab; fi
    if [[ -e $stack/hosts ]]; then stop_hosts || failed=1; fi
    if [[ $stack == */demo || $stack == */prove || $stack == */bench ]]; then remove_traces; fi
    ((failed)) || rm -f "$stack"/pids/*
    release_claims
    if ((running && !failed)); then say "stopped $running parts after $(since "$started")"; fi
    return "$failed"
}
