# shellcheck shell=bash
# The packages on clean hosts: two systems of Debian in folders, each with systemd as its first process, one for the services, one a real
# Slurm cluster. The commands are those at the beginning of the operator guide.

prove_packages() { # folder with packages; none: they are made
    local packages=${1-} at=$home/packages failed=''
    ((EUID == 0)) || die 'this proof starts systems with systemd, which requires root'
    if can_install; then install_packages debootstrap || true; fi
    command -v debootstrap >/dev/null || die 'this proof needs debootstrap: apt-get install debootstrap'
    need_home
    mkdir -p "$at"
    if [[ -z $packages ]]; then
        packages=$at/new
        verb_package "$packages"
    fi
    trap 'stop_clean_roots' EXIT
    trap 'exit 130' INT TERM HUP
    say 'two clean hosts with Debian 12'
    clean_host millrace mariadb-server curl
    clean_host alpha slurm-wlm slurm-wlm-basic-plugins munge rsync openssh-client
    step 'the hosts start' start_clean_roots
    run_guide || failed=1
    [[ -z $failed ]] || die "the packages do not work; logs in the systems below $at"
    say "${green}passed${plain}"
}

on() { "$root/deploy/packages/clean-root" run "$home/packages/$1" "${@:2}"; } # host, command...

as_anna() { on "$1" runuser -l anna -c "$2"; } # host, command line

step() { # what, command...
    local started log=$home/packages/steps.log
    now_ms started
    if "${@:2}" >"$log" 2>&1; then
        say "  ${green}ok${plain}     $1, $(since "$started")"
    else
        say "  ${red}FAILED${plain} $1"
        tail -n 25 "$log" >&2
        return 1
    fi
}

clean_host() { # name, Debian packages...
    local folder=$home/packages/$1
    "$root/deploy/packages/clean-root" stop "$folder"
    step "host $1 with ${*:2}" "$root/deploy/packages/clean-root" make "$folder" "${@:2}" || die "the host '$1' cannot be made"
    printf '127.0.0.1 localhost\n192.0.2.1 millrace.example millrace alpha\n' >"$folder/etc/hosts"
    chroot "$folder" useradd -m -s /bin/bash anna
    mkdir -p "$folder/root/packages"
    cp "$packages"/*.deb "$folder/root/packages/"
}

start_clean_roots() {
    "$root/deploy/packages/clean-root" boot "$home/packages/millrace" &&
        "$root/deploy/packages/clean-root" boot "$home/packages/alpha" "$home/packages/millrace"
}

stop_clean_roots() {
    local name
    for name in alpha millrace; do "$root/deploy/packages/clean-root" stop "$home/packages/$name" || true; done
}

run_guide() {
    step 'Slurm runs, without Millrace' start_slurm || return
    say 'the eight commands'
    step '1 apt install services' on millrace sh -c 'apt-get install -y --no-install-recommends /root/packages/millrace-runtime_*.deb \
        /root/packages/millrace-services_*.deb /root/packages/millrace-cli_*.deb' || return
    step '2 millrace-setup plane' on millrace millrace-setup plane --host millrace.example --operator anna || return
    step '3 mgcluster invite' invite || return
    step '4 apt install agent' on alpha sh -c 'apt-get install -y --no-install-recommends /root/packages/millrace-runtime_*.deb \
        /root/packages/millrace-agent_*.deb /root/packages/millrace-cli_*.deb' || return
    step '5 gpasswd: the user is served' on alpha gpasswd -a anna millrace-users || return
    step '  join --print changes nothing' prints_only || return
    step '6 millrace-agent join' on alpha sh -c 'millrace-agent join https://millrace.example:7070 --cluster alpha --token-file /root/alpha.token' || return
    step '7 millrace-agent check' on alpha millrace-agent check || return
    step '8 mglogin, mgsub: a job runs to its end' first_job || return
    say 'what follows'
    step 'a job of sbatch waits for Millrace, which starts it' directed_job || return
    step 'the invitation is used up' used_up || return
    step 'no secret is readable by other users, and no program of a service runs as root' nothing_open || return
    step 'millrace-setup check' on millrace millrace-setup check || return
    say "security: $(exposure millrace millrace@submit) $(exposure millrace millrace-broker) $(exposure alpha millrace-agent@alpha) $(exposure alpha millrace-watchdog@alpha)"
    step 'upgrade: settings stay, services come back, a job runs' upgrade || return
    step 'leave: the cluster has its own scheduler again' leaves || return
    step 'remove and purge leave nothing' purged || return
}

start_slurm() {
    on alpha sh -c 'cat >/etc/slurm/slurm.conf' <<'CONF'
ClusterName=alpha
SlurmctldHost=alpha
SlurmUser=slurm
AuthType=auth/munge
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
NodeName=alpha CPUs=4 State=UNKNOWN
PartitionName=main Nodes=alpha Default=YES MaxTime=INFINITE State=UP
CONF
    on alpha systemctl restart munge slurmctld slurmd
    as_anna alpha 'srun --time=1 hostname'
}

# The token goes from the operator to root of the cluster's host, by what the site uses for secrets.
invite() {
    as_anna millrace 'umask 077; mgcluster invite alpha >alpha.token' &&
        on millrace cat /home/anna/alpha.token | on alpha sh -c 'umask 077; cat >/root/alpha.token'
}

prints_only() {
    local before after shown
    before=$(on alpha sh -c 'find /etc /var/lib/millrace -type f | sort | xargs cat | sha256sum')
    shown=$(on alpha millrace-agent join --print --cluster alpha) || return
    echo "$shown"
    [[ $shown == *JobSubmitPlugins=lua* ]] || return
    after=$(on alpha sh -c 'find /etc /var/lib/millrace -type f | sort | xargs cat | sha256sum')
    [[ $before == "$after" ]]
}

first_job() {
    as_anna alpha 'mglogin && printf "#!/bin/sh\nhostname >result\n" >job.sh && mgwait "$(mgsub --time 00:01:00 job.sh)"' &&
        as_anna alpha 'grep -x alpha result && findavl'
}

directed_job() {
    # A cluster that has just joined is native until its agent has read the first plan.
    on alpha timeout 300 sh -c 'until grep -qsx directed /etc/slurm/millrace.control; do sleep 1; done' || return
    as_anna alpha 'rm -f direct; sbatch --wait --time=1 --wrap "scontrol show job \$SLURM_JOB_ID >direct"' &&
        as_anna alpha 'cat direct' && on alpha grep -qx directed /etc/slurm/millrace.control
}

used_up() {
    local answer
    if answer=$(on alpha millrace-agent join https://millrace.example:7070 --cluster alpha --token-file /root/alpha.token 2>&1); then return 1; fi
    echo "$answer"
    [[ $answer == *'ask an operator for a new one'* ]]
}

nothing_open() {
    local host pid
    for host in millrace alpha; do
        # shellcheck disable=SC2016
        on $host sh -c 'for file in $(find /etc/millrace /var/lib/millrace* -type f ! -path "*/log/*" 2>/dev/null); do
            if runuser -u nobody -- grep -lE "password=\"|PRIVATE KEY|PASSWORD=.|\"d\":" "$file" 2>/dev/null; then exit 1; fi; done' || return
        # Arguments and environment of a service: no password in the arguments, and no service of root.
        for pid in $(on $host pgrep -f /usr/lib/millrace/runtime); do
            on $host grep -qE '^Uid:\s+0\s' "/proc/$pid/status" && return 1
            if on $host grep -aqE 'password=|mgi\.' "/proc/$pid/cmdline"; then return 1; fi
        done
    done
}

exposure() { # host, unit
    on "$1" systemd-analyze security --no-pager "$2" | sed -nE "s/.*Overall exposure level for ([^:]*): ([0-9.]+).*/\1 \2/p"
}

upgrade() {
    local host file folder=$home/packages/next
    rm -rf "$folder"
    for file in "$packages"/*.deb; do
        mkdir -p "$folder/tree"
        dpkg-deb -R "$file" "$folder/tree" && sed -i 's/^\(Version: .*\)/\1+next/' "$folder/tree/DEBIAN/control" &&
            dpkg-deb --root-owner-group -Znone -b "$folder/tree" "$folder/${file##*/}" || return
        rm -rf "$folder/tree"
    done
    on millrace sh -c 'echo MILLRACE_QUOTA_DEFAULT_CORES=3 >>/etc/millrace/quota.env'
    for host in millrace alpha; do
        cp "$folder"/*.deb "$home/packages/$host/root/packages/"
        on "$host" sh -c 'dpkg -i $(for package in $(dpkg-query -W -f "\${Package}\n" "millrace-*"); do ls /root/packages/${package}_*; done)' || return
    done
    rm -rf "$folder"
    on millrace grep -qx MILLRACE_QUOTA_DEFAULT_CORES=3 /etc/millrace/quota.env &&
        await_check millrace millrace-setup && await_check alpha millrace-agent &&
        as_anna alpha 'rm -f result; mgwait "$(mgsub --time 00:01:00 job.sh)" && grep -x alpha result'
}

await_check() { # host, command
    local until=$((SECONDS + 600))
    until on "$1" "$2" check; do
        ((SECONDS < until)) || return 1
        sleep 1
    done
}

leaves() {
    on alpha millrace-agent leave --cluster alpha && on millrace millrace-setup remove alpha &&
        as_anna alpha 'srun --time=1 hostname'
}

purged() {
    local host left
    on alpha sh -c 'dpkg --remove millrace-agent && test -e /etc/millrace/agent.env && dpkg --purge millrace-agent millrace-cli millrace-runtime' &&
        on millrace sh -c 'dpkg --remove millrace-services && test -e /etc/millrace/quota.env && dpkg --purge millrace-services millrace-cli millrace-runtime' ||
        return
    for host in millrace alpha; do
        left=$(on $host sh -c 'find / -xdev -iname "*millrace*" ! -path "/root/*" ! -path "/var/lib/dpkg/*" ! -path "/var/lib/mysql/*" ! -path "/var/log/*" \
            ! -path "/proc/*" ! -path "/etc/slurm/*" ! -path "/home/*" ! -path "/var/lib/systemd/*" ! -name "millrace-staging" ! -path "/etc/alternatives/*"; getent passwd | grep millrace || true
            pgrep -f "[/]usr/lib/millrace" || true')
        if [[ -n $left ]]; then
            echo "left on $host: $left"
            return 1
        fi
    done
}
