# shellcheck shell=bash
# How the JVMs of the parts run. MILLRACE_PROFILE selects the profile when a stack starts; later starts of its parts keep it.

# demo: the parts share the machine with the clusters, and start and end often: small heaps, and only the fast compiler.
# site: the parts run for weeks: heaps for 100,000 waiting jobs, and the optimizing compiler.
readonly profiles=(demo site)

choose_profile() {
    local name=${MILLRACE_PROFILE:-demo}
    [[ " ${profiles[*]} " == *" $name "* ]] || unknown profile "$name" "${profiles[@]}"
    echo "$name" >"$stack/profile"
}

# The options of a part's JVM, one a line. A JVM that runs out of memory exits, because one that has lost threads would still look healthy.
jvm_options() { # part
    local name=demo
    if [[ -e $stack/profile ]]; then name=$(<"$stack/profile"); fi
    # A class archive is mapped where it was written for: elsewhere, the pages of its classes become private memory of each JVM.
    printf '%s\n' -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0
    printf '%s\n' -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError -Xss512k -Xshare:auto "-Xmx$(heap "$name" "$1")"
    if [[ $name == demo ]]; then printf '%s\n' -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=32m -XX:NewRatio=4; fi
}

heap() { # profile, part
    case $1/$2 in
        demo/kafka* | demo/submit) echo 128m ;;
        demo/mariadb-start | site/mariadb-start) echo 64m ;;
        site/kafka* | site/submit | site/quota | site/backfill) echo 512m ;;
        site/agent-*) echo 1536m ;;
        site/*) echo 256m ;;
        *) echo 80m ;;
    esac
}
