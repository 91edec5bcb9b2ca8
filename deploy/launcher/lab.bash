# shellcheck shell=bash
# Real Slurm clusters beside the stack, from the distribution's packages, and the description of the site for the demo.

# Packages that the live tests and the demo require.
readonly live_packages=(slurm-wlm slurm-client munge rsync openssh-client openssh-server)
# Packages that only the live tests require. The MariaDB programs suffice: the lab creates its database.
readonly accounting_packages=(slurmdbd mariadb-server-core mariadb-client-core sudo gcc make libssl-dev zlib1g-dev)
readonly lab_clusters=alpha,beta lab_nodes=4 lab_cpus=4
lab_users=mr-alice,mr-bob # 'prove live' has more

can_install() { ((EUID == 0)) && command -v apt-get >/dev/null; }

live_ready() { # further programs
    local tool
    for tool in slurmctld slurmd munged sbatch rsync ssh "$@"; do
        command -v "$tool" >/dev/null || [[ -x /usr/sbin/$tool ]] || return 1
    done
}

install_live_packages() { install_packages "${live_packages[@]}" "$@"; } # further packages

install_packages() { # packages
    local started=$EPOCHSECONDS log=$root/target/apt.log
    local -a packages=("$@")
    if dpkg -s "${packages[@]}" >/dev/null 2>&1; then return 0; fi
    mkdir -p "$root/target"
    say "installing ${packages[*]} from this machine's package sources (log: $log)"
    # RUNLEVEL=1: the packages start no service; the lab starts its own daemons.
    if ! { apt-get update -qq && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends "${packages[@]}"; } >"$log" 2>&1; then
        warn "the installation failed: $(grep -m1 '^E:' "$log" || tail -n 1 "$log")"
        return 1
    fi
    say "installed in $((EPOCHSECONDS - started)) s"
}

# Directories of jobs are copied between clusters by rsync, also between embedded ones.
need_rsync() {
    command -v rsync >/dev/null || { can_install && install_packages rsync; } ||
        die 'rsync is missing, and Millrace copies the directories of jobs with it; install it: apt-get install rsync'
}

# Sets lab to yes or no, and prints the reason for no.
choose_lab() {
    lab=no
    if ((EUID != 0)); then
        warn 'real Slurm requires root (slurmd starts jobs as their owners): using embedded clusters only'
    elif ! live_ready && ! { can_install && install_live_packages; }; then
        warn 'Slurm is not installed and cannot be installed: using embedded clusters only'
    else
        lab=yes
    fi
}

# A folder of this stack that every user can enter. Its path is short because it contains sockets.
shared_folder() {
    local folder=$stack/shared
    if [[ ! -e $stack/shared-folder ]]; then
        mkdir -p "$stack"
        if ! passable "$stack" || ((${#folder} > 45)); then
            folder=$(mktemp -d /var/tmp/millrace-XXXXXX 2>/dev/null) ||
                die "cannot create a folder in /var/tmp; check its free space and its mode (1777)"
        fi
        mkdir -p "$folder"
        chmod 755 "$folder"
        echo "$folder" >"$stack/shared-folder"
    fi
    cat "$stack/shared-folder"
}

passable() { # folder
    local folder=$1
    while [[ $folder != / ]]; do
        [[ $(stat -c %A "$folder") == *[xt] ]] || return 1
        folder=$(dirname "$folder")
    done
}

# Removes what a stack leaves outside its folder: users and the shared folder.
remove_traces() {
    local folder
    if ((EUID == 0)); then remove_users "$stack"; fi
    [[ -e $stack/shared-folder ]] || return 0
    folder=$(<"$stack/shared-folder")
    if [[ $folder =~ ^/var/tmp/millrace-[A-Za-z0-9]+$ ]]; then remove_tree "$folder"; fi
    rm -f "$stack/shared-folder"
}

start_lab() { # clusters separated by commas; more options of slurm-lab
    local started dir
    now_ms started
    dir=$(shared_folder)/lab
    echo "$dir" >"$stack/lab"
    say "starting real Slurm: ${1//,/ and }"
    "$root/lab/slurm/slurm-lab" up --dir "$dir" --clusters "$1" --nodes "$lab_nodes" --cpus "$lab_cpus" \
        --users "$lab_users" --control directed "${@:2}" >"$stack/lab.log" 2>&1 || {
        tail -n 20 "$stack/lab.log" >&2
        die "the Slurm lab did not start; log: $stack/lab.log"
    }
    say "  ${green}ready${plain} Slurm, $(since "$started")"
}

stop_lab() {
    "$root/lab/slurm/slurm-lab" down --dir "$(<"$stack/lab")" >>"$stack/lab.log" 2>&1 ||
        warn "the Slurm lab did not stop cleanly; log: $stack/lab.log"
    rm -f "$stack/lab"
}

# The clusters file of the demo: two Slurm clusters and a local one, or three local ones.
demo_clusters() {
    local file=$stack/demo-clusters.conf name
    : >"$file"
    for name in ${lab_clusters//,/ }; do
        if [[ -e $stack/lab ]]; then
            slurm_cluster "$name" >>"$file"
        else
            echo "$name local" >>"$file"
        fi
    done
    echo 'gamma local' >>"$file"
    echo "$file"
}

slurm_cluster() { # name; prints its line of a clusters file
    echo "$1 slurm slurm.conf-file=$(<"$stack/lab")/$1/etc/slurm.conf poll-interval=1s"
}

# As root, jobs run as their owners, so the users are accounts of this machine. The last stack that uses them removes them.
create_people() {
    command -v useradd setpriv >/dev/null || die 'useradd and setpriv are needed to set up users; install passwd and util-linux'
    local -a names
    IFS=, read -ra names <<<"$lab_users"
    create_users "$stack" "${names[@]}"
}

# The users of the demo: role, account, home, whether the account exists on this machine.
people() {
    local role user
    for user in ${lab_users//,/ }; do
        role=${user#mr-}
        if ((EUID == 0)); then
            echo "$role $user $(getent passwd "$user" | cut -d: -f6) true"
        else
            echo "$role $role $(shared_folder)/home/$role false"
        fi
    done
    echo "operator $(id -un) $(shared_folder)/home/operator true"
}

# The quotas of the demo. On alpha each user has half of the cluster and can exceed it. On beta the wide jobs of both users are within
# quota, so that only the order of the queue and the reservation decide.
demo_quotas() { # file of clusters
    local file=$stack/quotas.yaml cluster role user cores=$((lab_nodes * lab_cpus)) quota
    echo 'quotas:' >"$file"
    for cluster in $(cluster_names '' "$1"); do
        echo "  $cluster:" >>"$file"
        while read -r role user _; do
            case $cluster-$role in
                *-operator) continue ;;
                beta-alice) quota=$((cores * 3 / 4)) ;;
                beta-bob) quota=$cores ;;
                *) quota=$((cores / 2)) ;;
            esac
            echo "    $user: $quota" >>"$file"
        done < <(people)
    done
    echo "$file"
}

# The environment in which the tools work as on a login node of the first cluster. Every user reads it, and has a token of their own.
write_environment() {
    local first tools=$root/cli/bin file
    file=$(shared_folder)/env
    first=$(cluster_names | head -n 1)
    if ! passable "$root/cli"; then tools=$(copy_tools); fi
    {
        echo "export PATH=$(printf %q "$tools"):\$PATH"
        # shellcheck disable=SC2016
        if passable "$JAVA_HOME"; then printf 'export JAVA_HOME=${JAVA_HOME:-%q}\n' "$JAVA_HOME"; fi
        echo "export MILLRACE_API=$(api_url) MILLRACE_CLUSTER=$first"
        echo "export MILLRACE_LOGIN_SOCKET=$(printf %q "$(login_socket "$first")")"
        echo "export MILLRACE_TOKEN_FILE=\"\$HOME\"/.config/millrace/token-$(port_of submit)"
    } >"$file"
    chmod 644 "$file"
    ln -sf "$file" "$stack/env"
}

# For users who cannot enter this source tree.
copy_tools() {
    local folder
    folder=$(shared_folder)/tools
    mkdir -p "$folder/lib"
    cp -LR "$root/cli/bin" "$root/cli/slurm" "$folder/"
    cp "$root"/cli/target/millrace-cli-*.jar "$root"/cli/target/lib/*.jar "$folder/lib/"
    chmod -R a+rX "$folder"
    echo "$folder/bin"
}

# Describes the running stack for the demo and for scripts.
write_site() {
    local role user folder here
    local -a words
    {
        echo "api=$(api_url)"
        echo "tools=$root/cli/bin"
        echo "work=$(shared_folder)/work"
        echo "clusters=$(cluster_names | paste -sd,)"
        while read -ra words; do site_cluster "${words[@]}"; done < <(cluster_lines)
        while read -r role user folder here; do
            mkdir -p "$folder"
            printf 'person.%s.%s\n' "$role" "name=$user" "$role" "home=$folder" "$role" "of-the-machine=$here"
        done < <(people)
    } >"$stack/site.properties"
    mkdir -p "$(shared_folder)/work"
    write_environment
}

site_cluster() { # name, adapter, key=value...
    local name=$1 adapter=$2 nodes=$lab_nodes cores=$lab_cpus word
    shift 2
    for word in "$@"; do
        case $word in
            slurm.conf-file=*) echo "cluster.$name.slurm-conf=${word#*=}" ;;
            local.nodes=*) nodes=${word#*=} ;;
            local.cores-per-node=*) cores=${word#*=} ;;
        esac
    done
    echo "cluster.$name.cores=$((nodes * cores))"
    echo "cluster.$name.adapter=$adapter"
    echo "cluster.$name.login-socket=$(login_socket "$name")"
    describe_host "$name"
}

login_socket() { echo "$(shared_folder)/login/$1"; } # cluster
