# shellcheck shell=bash
# Two hosts with a cable between them: network namespaces with addresses of their own. Requires root and iproute2.

# The cable is eth0 on both hosts; tc limits its rate in both directions.
lay_cable() { # namespace, its address, other namespace, its address, length of the network prefix, rate
    local space
    ip link add eth0 netns "$1" type veth peer name eth0 netns "$3"
    ip -n "$1" address add "$2/$5" dev eth0
    ip -n "$3" address add "$4/$5" dev eth0
    for space in "$1" "$3"; do
        ip -n "$space" link set lo up
        ip -n "$space" link set eth0 up
        tc -n "$space" qdisc add dev eth0 root tbf rate "$6" burst 256kb latency 100ms
    done
}
