# shellcheck shell=bash
# Where a part runs: beside the control plane, or on a host of its own that lab/launcher/hosts.bash has made. $stack/hosts has a line for each
# host: cluster, network namespace ("-": the host existed before and stays), its address on the cable, its address for the control plane.

host_field() { # cluster, number of the field
    awk -v name="$1" -v field="$2" '$1 == name { print $field }' "$stack/hosts" 2>/dev/null || true
}

# The address at which the launcher reaches a part.
address_of() { # part
    local address
    address=$(host_field "${1#*-}" 4)
    echo "${address:-127.0.0.1}"
}

# Sets the words that run a command on the host of a part; none if it runs beside the control plane.
on_host() { # array, part
    local -n words=$1
    local cluster=${2#*-}
    words=()
    if [[ -n $(host_field "$cluster" 2) && -s $stack/pids/host-$cluster ]]; then
        words=(nsenter --target "$(pid_of "host-$cluster")" --net --mount --uts --)
    fi
}

# The description of a host for the scenarios.
describe_host() { # cluster
    local -a at
    [[ $(host_field "$1" 2) == [!-]* ]] || return 0
    on_host at "host-$1"
    echo "cluster.$1.enter=nsenter --target $(pid_of "host-$1") --mount --"
    echo "cluster.$1.namespace=$(host_field "$1" 2)"
    echo "cluster.$1.disk=$(shared_folder)/hosts/$1"
    echo "cluster.$1.scratch=$(scratch)"
}
