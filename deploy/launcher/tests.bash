# shellcheck shell=bash
# Every test. Maven builds all modules; then the tests run without it, because starting Maven for a module takes more processor time than
# most modules' tests. One JVM per module runs the unit tests, another one the integration tests. Integration tests mostly wait, so more
# of them run at a time than there are cores.

readonly slow_modules=(cluster-agent/service cluster-agent/slurm submit-service lab/attacks contracts/log lab/campaigns deploy/story cluster-agent/lsf
    deploy/embedded migration-service cluster-agent/torque classifier-service cluster-agent/core quota-service cluster-agent/local) # the slowest first
readonly test_jvm=(-Xmx640m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -XX:+EnableDynamicAgentLoading
    --add-opens=java.base/java.lang.invoke=ALL-UNNAMED) # Quarkus requires the last option

verb_test() {
    local begun=$EPOCHSECONDS failed='' selection=all argument
    local -a options=()
    for argument in "$@"; do
        case $argument in
            --quick) selection=quick ;;
            --seed=*) test_seed "${argument#*=}" ;;
            -D* | -o | --offline | -e | -X) options+=("$argument") ;;
            *) die "unknown option '$argument'; 'test' accepts --quick, --seed=N and Maven's -Dname=value, -o, -e and -X" ;;
        esac
    done
    use_stack test
    find_jdk
    fresh_stack
    guard
    trap 'stop_stack' EXIT
    trap 'exit 130' INT TERM HUP
    mkdir -p "$stack/lanes"
    [[ -n ${MILLRACE_TEST_SEED-} ]] || test_seed 1 # the same sample for the same code; './millrace prove' runs the whole campaigns
    [[ $selection == quick ]] || prepare_live_tests
    need_rsync
    if [[ $selection == quick ]]; then options+=(-Dquick); else forget_classes; fi
    say "seed of the sampled tests: $MILLRACE_TEST_SEED (another sample: ./millrace test --seed=N)"
    "$root/deploy/launcher/launcher-test" & # mostly waits, so the build runs beside it
    local launcher_test=$! built=yes
    [[ $selection == quick ]] || check_interfaces || failed=1
    build_for_tests "${options[@]}" || built=
    wait "$launcher_test" || failed=1
    if [[ $built ]]; then
        run_lanes "$selection" || failed=1
    else
        failed=1
    fi
    summary "$begun"
    if [[ -n ${CI-} && $selection == all ]] && [[ -n $(skipped_tests) ]]; then
        warn 'CI is set: a skipped test fails the run'
        failed=1
    fi
    [[ -z $failed ]] || die "tests failed; the logs are in $stack/lanes"
    say "${green}all tests passed${plain}"
}

# Without npm or its registry, only the tests in Java check the documents.
check_interfaces() {
    local result=0
    if ! command -v npm >/dev/null; then
        warn 'docs/asyncapi.yaml and docs/openapi.yaml are not checked by deploy/interfaces/check, because npm is not installed'
        return
    fi
    "$root/deploy/interfaces/check" >"$stack/lanes/interfaces.log" 2>&1 || result=$?
    case $result in
        0) say 'asyncapi.yaml and openapi.yaml are valid' ;;
        2) warn "docs/asyncapi.yaml and docs/openapi.yaml are not checked: $(tail -n 1 "$stack/lanes/interfaces.log")" ;;
        *) cat "$stack/lanes/interfaces.log" >&2 && return 1 ;;
    esac
}

test_seed() { # number
    [[ $1 =~ ^[0-9]{1,18}$ ]] || die "--seed must be a whole number of at most 18 digits, not '$1'"
    export MILLRACE_TEST_SEED=$1
}

prepare_live_tests() {
    if can_install; then
        install_live_packages "${accounting_packages[@]}" iproute2 || true
        # For an example of the guide. Apart from the others, which would not be installed either where these cannot be had.
        install_packages python3-kafka python3-cryptography || true
    fi
    if ! live_ready slurmdbd mariadbd visudo ip tc; then
        warn "LIVE TESTS WILL BE SKIPPED: some of these packages are missing: ${live_packages[*]} ${accounting_packages[*]} iproute2$( ((EUID == 0)) ||
            echo '; installing them and running Slurm requires root')"
    elif ((EUID != 0)); then
        warn 'LIVE TESTS ON SLURM WILL BE SKIPPED: slurmd starts jobs as their owners, which requires root'
    fi
}

# ---- the build --------------------------------------------------------------------------------------------------------

stages=() # "name seconds result"

# Compiles and packages everything, without tests; writes each module's class path for tests. -Dquick: without static analysis.
build_for_tests() { # Maven options...
    local begun=$EPOCHSECONDS result=passed
    say "${bold}build${plain}"
    maven -T 1C package dependency:build-classpath -Dmdep.outputFile=target/test-classpath -DskipTests "$@" \
        >"$stack/lanes/build.log" 2>&1 </dev/null || result=FAILED
    if [[ $result == FAILED ]]; then grep -aE '^\[ERROR\]' "$stack/lanes/build.log" | head -n 40 >&2 || true; fi
    stages+=("build $((EPOCHSECONDS - begun)) $result")
    [[ $result == passed ]]
}

# ---- lanes: JVMs on the same build ---------------------------------------------------------------------------------------

# How many modules run their integration tests at a time, besides the unit tests: each needs about 1.5 GiB of memory.
lanes_that_fit() {
    awk '$1 == "MemAvailable:" { fit = int($2 / 2097152) } END { print (fit < 2 ? 2 : fit > 6 ? 6 : fit) }' /proc/meminfo
}

# Starts the lanes, a limited number at a time, and waits for all of them. Fails if one of them failed.
run_lanes() { # all, quick (without real Slurm), sampled (only classes that take a sample) or attacks (only tests that try an attack)
    local pid status begun=$EPOCHSECONDS lanes name result=passed
    lanes=${MILLRACE_TEST_LANES:-$(lanes_that_fit)}
    local -A running=() # name of each lane by pid
    local -A failed=()  # exit status of each failed lane by name
    local -a waiting
    say "${bold}tests${plain}"
    mapfile -t waiting < <(integration_modules "$1")
    if [[ $1 != sampled ]]; then
        for name in unit-1 unit-2; do
            unit_lane "$name" "$1" &
            running[$!]=$name
        done
        ((lanes += 2))
    fi
    while ((${#running[@]} || ${#waiting[@]})); do
        while ((${#waiting[@]} && ${#running[@]} < lanes)); do
            integration_lane "${waiting[0]}" "$1" &
            running[$!]=${waiting[0]}
            waiting=("${waiting[@]:1}")
        done
        status=0
        wait -n -p pid "${!running[@]}" || status=$?
        if ((status == 0)); then
            say "  ${green}ok${plain}     ${running[$pid]}, after $((EPOCHSECONDS - begun)) s"
        else
            say "  ${red}FAILED${plain} ${running[$pid]}; log: $(lane_log "${running[$pid]}")"
            failed[${running[$pid]}]=$status
        fi
        unset "running[$pid]"
    done
    if ((${#failed[@]})) && ! { passes_alone && is_tolerated "$1"; }; then result=FAILED; fi
    stages+=("tests $((EPOCHSECONDS - begun)) $result")
    [[ $result == passed ]]
}

unstable=() # classes that failed beside others and passed alone

# Classes that may be unstable in a complete run; each needs an issue, named in a comment beside it.
tolerated_unstable=()

# Whether the unstable classes leave the run passed. A complete run, which CI makes, fails unless all of them are listed.
is_tolerated() { # selection
    local name
    [[ $1 == all ]] || return 0
    for name in "${unstable[@]}"; do [[ " ${tolerated_unstable[*]} " == *" $name "* ]] || return 1; done
}

# Runs the failed classes once more, with nothing beside them. A class that passes now depends on timing, which is a fault of the test or of
# the code; the summary says so. Not after a JVM that ended early, and not after more than three failed classes.
passes_alone() {
    local status class file
    local -a classes
    for status in "${failed[@]}"; do ((status == 1)) || return 1; done
    mapfile -t classes < <(results | awk '$6 > 0 { print $1 }')
    ((${#classes[@]} >= 1 && ${#classes[@]} <= 3)) || return 1
    for class in "${classes[@]}"; do
        file=$(cd "$root" && find . -path "*/src/test/java/${class//.//}.java")
        file=${file#./}
        say "  again  $class"
        run_tests "$stack/lanes/again.txt" "${file%%/src/*}" "$class" || return 1
    done
    unstable=("${classes[@]}")
}

# Runs the unit tests of every second module.
unit_lane() { # unit-1 or unit-2, selection
    local module number=0 status=0
    local -a classes
    renice -n 5 "$BASHPID" >/dev/null # they compute; the integration tests wait for events and then need a core at once
    while read -r module; do
        ((number += 1, number % 2 == ${1#unit-} % 2)) || continue
        mapfile -t classes < <(test_classes "$module" Test "$2")
        ((${#classes[@]})) || continue
        run_tests "$(lane_log "$1")" "$module" "${classes[@]}" || status=$(($? > status ? $? : status))
    done < <(modules_with Test)
    return "$status"
}

integration_lane() { # module, selection
    local -a classes
    mapfile -t classes < <(test_classes "$1" IT "$2")
    run_tests "$(lane_log "$1")" "$1" "${classes[@]}"
}

lane_log() { echo "$stack/lanes/${1//\//-}.log"; } # name

test_filter=()  # an option of TestRun
only_modules=() # the modules to test; none: all

# Runs test classes of a module in a JVM, in the module's folder as Maven does.
run_tests() { # log, module, classes...
    local target=$root/$2/target
    (
        # The last property tells Quarkus the module's dependencies, as its Maven plugin does.
        cd "$root/$2" && MILLRACE_STACK=$stack MILLRACE_CACHE=$home/cache exec "$JAVA_HOME/bin/java" "${test_jvm[@]}" \
            -cp "$target/test-classes:$target/classes:$(<"$target/test-classpath"):$(test_runner)" \
            "-Dquarkus-internal-test.serialized-app-model.path=$target/quarkus/bootstrap/test-app-model.dat" \
            io.millrace.testing.TestRun "${test_filter[@]}" "${@:3}"
    ) 2>&1 </dev/null | tee -a "$1" | shown_lines
}

# The class path of TestRun, for modules that do not depend on deploy/testing.
test_runner() {
    local target=$root/deploy/testing/target
    echo "$target/classes:$(tr : '\n' <"$target/test-classpath" | grep '/junit-platform-launcher-')"
}

# The lines of the output that are worth showing.
shown_lines() {
    grep -a --line-buffered -oE '\[(class|FAILED|skipped|test stack)\] .*' || true
}

# The modules with integration tests of the selection, the slowest first.
integration_modules() { # selection
    local module
    {
        printf '%s\n' "${slow_modules[@]}"
        modules_with IT
    } | awk '!seen[$0]++' | while read -r module; do
        if [[ -n $(test_classes "$module" IT "$1") ]]; then echo "$module"; fi
    done
}

modules_with() { # suffix of the test classes
    (cd "$root" && find . -name target -prune -o -path "*/src/test/java/*$1.java" -print) | sed 's|^\./||; s|/src/test/java/.*||' | sort -u
}

test_classes() { # module, suffix, selection
    local file
    [[ -d $root/$1/src/test/java ]] || return 0
    if ((${#only_modules[@]})) && [[ " ${only_modules[*]} " != *" $1 "* ]]; then return 0; fi
    find "$root/$1/src/test/java" -name "*$2.java" | sort | while read -r file; do
        case $3 in
            quick) if grep -q '^@Tag("slurm")' "$file"; then continue; fi ;;
            attacks) if ! grep -qE '^( {4})?@Attack\(' "$file"; then continue; fi ;;
            sampled) if ! grep -qE '\<Sample\.(of|rounds|isWhole)\(' "$file"; then continue; fi ;;
        esac
        file=${file#*/src/test/java/}
        file=${file%.java}
        echo "${file//\//.}"
    done
}

# ---- the report -------------------------------------------------------------------------------------------------------

summary() { # begin
    local line name seconds result
    show_failures
    say "${bold}summary${plain}"
    for line in "${stages[@]}"; do
        read -r name seconds result <<<"$line"
        say "$(printf '  %-12s %4d s  %s' "$name" "$seconds" "$result")"
    done
    say "  unit         $(counts Test)"
    say "  integration  $(counts IT)"
    say "  slowest classes:"
    slowest 10
    list_skipped
    for name in "${unstable[@]}"; do warn "  UNSTABLE: $name failed beside other tests and passed alone; its first failure is above"; done
    say "  total        $(printf '%4d' $((EPOCHSECONDS - $1))) s"
}

# A build with -Dquick compiles without static analysis, and Maven would consider its classes up to date.
forget_classes() {
    find "$root" -path "$home" -prune -o -type d \( -path '*/target/classes' -o -path '*/target/test-classes' -o \
        -path '*/target/maven-status' \) -prune -exec rm -rf {} +
}

# "NAME SECONDS s RUN run FAILED failed SKIPPED skipped processor SECONDS s" for each test class.
results() { grep -ahoE '\[class\] .*' "$stack"/lanes/*.log | sed 's/^\[class\] //; s/[:,]//g' || true; }

counts() { # suffix of the test classes
    results | awk -v suffix="$1\$" '
        $1 ~ suffix { run += $4; failed += $6; skipped += $8 }
        END { printf "%d tests, %d failed, %d skipped", run, failed, skipped }'
}

slowest() { # how many
    local seconds name
    results | awk '{ print $2, $1 }' | sort -rn | sed -n "1,$1p" |
        while read -r seconds name; do say "$(printf '    %7.1f s  %s' "$seconds" "$name")"; done
}

skipped_tests() { grep -ahoE '\[skipped\] .*' "$stack"/lanes/*.log || true; }

list_skipped() {
    local line
    skipped_tests | while IFS= read -r line; do warn "  $line"; done
}

# What each log has around its first failures; a CI system may keep nothing but this output.
show_failures() {
    local log
    grep -alE '^\[FAILED\]' "$stack"/lanes/*.log | while IFS= read -r log; do
        warn "  from ${log##*/}:"
        grep -a -B 20 -A 30 -E '^\[FAILED\]' "$log" | head -n 150 | cut -c 1-300 | sed 's/^/    /' >&2
    done || true
}
