# shellcheck shell=bash
# Clusters as separate hosts of this machine. Each host is a network namespace with addresses of its own, and a mount namespace with its own
# file system for data and its own configuration of SSH. Only a cable joins the hosts; a second network connects each with the control plane.
# deploy/launcher/hosts.bash runs parts on them.

readonly cable_rate=200mbit

scratch() { echo "$(shared_folder)/scratch"; } # the same path on each host, but not the same files

need_hosts() {
    local program
    for program in ip tc nsenter unshare losetup; do
        command -v "$program" >/dev/null || die "separate hosts need '$program'; install iproute2, util-linux and mount"
    done
}

start_hosts() { # MiB of each file system, or nothing for 512 MiB in memory; two clusters
    local net=10.$((RANDOM % 200 + 20)).$((RANDOM % 250)) id=mr$RANDOM shared disk=$1 cluster
    local -i at=0
    shared=$(shared_folder)
    shift
    need_hosts
    mkdir -p "$stack"/{pids,logs} "$shared"/{hosts,ssh} "$(scratch)" /run/sshd
    touch "$stack/parts" "$stack/links"
    create_people
    for cluster in "$@"; do
        at+=1
        ip netns add "$id-$cluster"
        echo "$cluster $id-$cluster $net.$at $net.$((8 * at + 2))" >>"$stack/hosts"
        join_control "$id-$cluster" "$id-$at" "$net.$((8 * at + 1))" "$net.$((8 * at + 2))" "$cluster"
        own_disk "$shared/hosts/$cluster" "$disk"
    done
    lay_cable "$id-$1" "$net.1" "$id-$2" "$net.2" 29 "$cable_rate"
    configure_ssh "$@"
    for cluster in "$@"; do start_host "$cluster"; done
}

# A network of the host and the control plane alone. Its agent reaches the broker there.
join_control() { # namespace, name of the interface, address of the control plane, address of the host, cluster
    local port
    ip link add "$2" type veth peer name control0 netns "$1"
    ip address add "$3/29" dev "$2"
    ip link set "$2" up
    ip -n "$1" address add "$4/29" dev control0
    ip -n "$1" link set control0 up
    free_port port
    echo "agent-$5=$3:$port" >>"$stack/links"
}

# XFS, because it shares blocks between copies of a file.
own_disk() { # folder, MiB or nothing
    mkdir -p "$1"
    if [[ -n $2 ]]; then
        truncate --size "$2M" "$1.img"
        mkfs.xfs -q "$1.img"
        mount -o loop "$1.img" "$1"
    else
        mount -t tmpfs -o size=512m,mode=755 millrace "$1"
    fi
    mkdir -m 1777 "$1"/{staging,runs,gates}
}

# Each user has a key on each host, which all hosts accept. Host keys are pinned.
configure_ssh() { # clusters
    local cluster user folder at
    at=$(shared_folder)/ssh
    for cluster in "$@"; do
        folder=$at/$cluster
        mkdir -p "$folder"/{keys,authorized}
        ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
        echo "$(host_field "$cluster" 3) $(<"$folder/host.pub")" >>"$at/known"
        for user in ${lab_users//,/ }; do
            ssh-keygen -q -t ed25519 -N '' -f "$folder/keys/$user"
            cat "$folder/keys/$user.pub" >>"$at/$user"
            chown "$user" "$folder/keys/$user"
        done
        cat >"$folder/ssh_config" <<'CONF'
Host *
    IdentityFile /etc/ssh/keys/%u
    GlobalKnownHostsFile /etc/ssh/known
    UserKnownHostsFile /dev/null
    StrictHostKeyChecking yes
CONF
        cat >"$folder/sshd_config" <<CONF
ListenAddress $(host_field "$cluster" 3)
HostKey /etc/ssh/host
AuthorizedKeysFile /etc/ssh/authorized/%u
PasswordAuthentication no
UsePAM yes
PidFile none
MaxStartups 200
MaxSessions 200
Subsystem sftp internal-sftp
CONF
    done
    for cluster in "$@"; do
        cp "$at/known" "$at/$cluster/"
        for user in ${lab_users//,/ }; do cp "$at/$user" "$at/$cluster/authorized/$user"; done
    done
}

# A process that keeps the mount namespace, and the SSH server of the host. "ip netns exec" would mount /sys without the cgroups that slurmd needs.
start_host() { # cluster
    local -a at
    # shellcheck disable=SC2016
    launch "host-$1" nsenter --net="/run/netns/$(host_field "$1" 2)" unshare --mount --propagation private bash -ec '
        mount --bind "$0/hosts/$1" "$2"
        mount --bind "$0/ssh/$1" /etc/ssh
        mount -t tmpfs -o size=4k,mode=755 millrace "$0/hosts"
        echo ready
        exec sleep infinity' "$(shared_folder)" "$1" "$(scratch)"
    await_line "host-$1" '^ready' 60
    on_host at "host-$1"
    launch "sshd-$1" "${at[@]}" /usr/sbin/sshd -D -e -f /etc/ssh/sshd_config
    await_line "sshd-$1" 'Server listening' 60
}

host_lab() { echo "$(shared_folder)/lab-$1"; } # cluster

start_lab_on_host() { # cluster
    local started
    local -a at
    now_ms started
    say "starting real Slurm: $1"
    on_host at "host-$1"
    "${at[@]}" "$root/lab/slurm/slurm-lab" up --dir "$(host_lab "$1")" --clusters "$1" --nodes "$lab_nodes" --cpus "$lab_cpus" \
        --users "$lab_users" --control directed >"$stack/lab-$1.log" 2>&1 || {
        tail -n 20 "$stack/lab-$1.log" >&2
        die "the Slurm lab of $1 did not start; log: $stack/lab-$1.log"
    }
    say "  ${green}ready${plain} Slurm of $1, $(since "$started")"
}

# The line of a clusters file for the cluster of a host.
host_cluster() { # cluster
    echo "$1 slurm slurm.conf-file=$(host_lab "$1")/$1/etc/slurm.conf poll-interval=1s data-host=$(host_field "$1" 3)" \
        "staging-root=$(scratch)/staging"
}

# After all processes have ended.
stop_hosts() {
    local cluster space shared failed=0
    shared=$(shared_folder)
    while read -r cluster space _; do
        [[ $space != - ]] || continue
        "$root/lab/slurm/slurm-lab" down --dir "$(host_lab "$cluster")" >>"$stack/lab-$cluster.log" 2>&1 || failed=1
        ip netns del "$space" 2>/dev/null || true # with the interfaces in it, and their other ends
        if mountpoint -q "$shared/hosts/$cluster"; then umount "$shared/hosts/$cluster" || failed=1; fi
        rm -f "$shared/hosts/$cluster.img"
    done <"$stack/hosts"
    ((failed)) || rm -f "$stack/hosts" "$stack/links"
    return "$failed"
}
