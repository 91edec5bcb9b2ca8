# shellcheck shell=bash
# Every test. One Maven run builds all modules; then the unit tests and the integration tests of each module run side by side, each in a
# separate Maven process on the same build. Integration tests mostly wait, so more of them run at a time than there are cores.

# Maven processes that run tests at a time, besides the one for unit tests. Each needs about 1.5 GiB of memory.
readonly test_lanes=${MILLRACE_TEST_LANES:-4}
readonly slow_modules=(deploy/story cluster-agent/service cluster-agent/slurm submit-service migration-service quota-service contracts/log)

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
    [[ -n ${MILLRACE_TEST_SEED-} ]] || test_seed "$((EPOCHSECONDS % 1000000))"
    [[ $selection == quick ]] || prepare_live_tests
    forget_reports
    forget_classes
    say "seed of the sampled tests: $MILLRACE_TEST_SEED (repeat with ./millrace test --seed=$MILLRACE_TEST_SEED)"
    "$root/deploy/launcher/launcher-test" || failed=1
    if build_for_tests "${options[@]}"; then
        run_lanes "$selection" "${options[@]}" || failed=1
    else
        failed=1
    fi
    summary "$begun"
    if [[ -n ${CI-} && $selection == all ]] && any_skipped; then
        warn 'CI is set: a skipped test fails the run'
        failed=1
    fi
    [[ -z $failed ]] || die "tests failed; the logs are in $stack/lanes"
    say "${green}all tests passed${plain}"
}

test_seed() { # number
    [[ $1 =~ ^[0-9]{1,18}$ ]] || die "--seed must be a whole number of at most 18 digits, not '$1'"
    export MILLRACE_TEST_SEED=$1
}

prepare_live_tests() {
    if can_install; then install_live_packages "${accounting_packages[@]}" || true; fi
    if ! live_ready slurmdbd mariadbd visudo; then
        warn "LIVE TESTS WILL BE SKIPPED: some of these packages are missing: ${live_packages[*]} ${accounting_packages[*]}$( ((EUID == 0)) ||
            echo '; installing them and running Slurm requires root')"
    elif ((EUID != 0)); then
        warn 'LIVE TESTS ON SLURM WILL BE SKIPPED: slurmd starts jobs as their owners, which requires root'
    fi
}

# ---- the build --------------------------------------------------------------------------------------------------------

stages=() # "name seconds result"

# Compiles everything with static analysis and packages it, without tests.
build_for_tests() { # Maven options...
    local begun=$EPOCHSECONDS result=passed
    say "${bold}build${plain}"
    maven -T 1C package -DskipTests "$@" >"$stack/lanes/build.log" 2>&1 </dev/null || result=FAILED
    if [[ $result == FAILED ]]; then grep -aE '^\[ERROR\]' "$stack/lanes/build.log" | head -n 40 >&2 || true; fi
    stages+=("build $((EPOCHSECONDS - begun)) $result")
    [[ $result == passed ]]
}

# ---- lanes: Maven processes on the same build ---------------------------------------------------------------------------

# Starts the lanes, at most test_lanes at a time, and waits for all of them. Fails if one of them failed.
run_lanes() { # selection: all, quick (without real Slurm) or sampled (only classes that take a sample); Maven options...
    local selection=$1 failed='' pid begun=$EPOCHSECONDS
    local -A running=() # name of each lane by pid
    local -a waiting
    shift
    say "${bold}tests${plain}"
    mapfile -t waiting < <(integration_modules "$selection")
    if [[ $selection != sampled ]]; then
        unit_lane "$@" &
        running[$!]=unit
    fi
    while ((${#running[@]})); do
        while ((${#waiting[@]} && ${#running[@]} <= test_lanes)); do
            integration_lane "${waiting[0]}" "$selection" "$@" &
            running[$!]=${waiting[0]}
            waiting=("${waiting[@]:1}")
        done
        if wait -n -p pid "${!running[@]}"; then
            say "  ${green}ok${plain}     ${running[$pid]}, after $((EPOCHSECONDS - begun)) s"
        else
            say "  ${red}FAILED${plain} ${running[$pid]}; log: $(lane_log "${running[$pid]}")"
            failed=1
        fi
        unset "running[$pid]"
    done
    stages+=("tests $((EPOCHSECONDS - begun)) $([[ -z $failed ]] && echo passed || echo FAILED)")
    [[ -z $failed ]]
}

unit_lane() { # Maven options...
    renice -n 5 "$BASHPID" >/dev/null # they compute; the integration tests wait for events and then need a core at once
    # With --fail-at-end, Maven would skip the modules that depend on one with a failed test.
    lane unit -T 1C -Dmaven.test.failure.ignore test "$@" && ! any_failed surefire
}

any_failed() { [[ -n $(reports "$1" | xargs -r grep -lE '<(failure|error)[ >]') ]]; } # surefire or failsafe

integration_lane() { # module, selection, Maven options...
    local module=$1 classes
    classes=$(integration_tests "$module" "$2" | paste -sd,)
    shift 2
    lane "$module" -pl "$module" -am process-test-classes failsafe:integration-test failsafe:verify -Dskip.unit \
        "-Dit.test=$classes" -Dfailsafe.failIfNoSpecifiedTests=false "$@"
}

lane_log() { echo "$stack/lanes/${1//\//-}.log"; } # name

lane() { # name, Maven arguments...
    local log
    log=$(lane_log "$1")
    shift
    MILLRACE_CACHE=$home/cache maven -Dcompiled -Denforcer.skip -DskipTests=false "$@" 2>&1 </dev/null | tee "$log" | shown_lines
}

# The lines of Maven's output that are worth showing: test classes and errors.
shown_lines() {
    grep -a --line-buffered -E 'Tests run:.* -- in |^\[ERROR\]|^\[test stack\]' || true
}

# The modules with integration tests, the slowest first.
integration_modules() { # selection
    local module
    {
        printf '%s\n' "${slow_modules[@]}"
        (cd "$root" && find . -name target -prune -o -path '*/src/test/java/*IT.java' -print) | sed 's|^\./||; s|/src/test/java/.*||' | sort -u
    } | awk '!seen[$0]++' | while read -r module; do
        if [[ -n $(integration_tests "$module" "$1") ]]; then echo "$module"; fi
    done
}

# The integration test classes of a module.
integration_tests() { # module, selection
    local file
    [[ -d $root/$1/src/test/java ]] || return 0
    find "$root/$1/src/test/java" -name '*IT.java' | sort | while read -r file; do
        case $2 in
            quick) if grep -q '^@Tag("slurm")' "$file"; then continue; fi ;;
            sampled) if ! grep -q '^import io.millrace.testing.Sample' "$file"; then continue; fi ;;
        esac
        file=${file#*/src/test/java/}
        file=${file%.java}
        echo "${file//\//.}"
    done
}

# ---- the report -------------------------------------------------------------------------------------------------------

summary() { # begin
    local line name seconds result
    say "${bold}summary${plain}"
    for line in "${stages[@]}"; do
        read -r name seconds result <<<"$line"
        say "$(printf '  %-12s %4d s  %s' "$name" "$seconds" "$result")"
    done
    say "  unit         $(counts surefire)"
    say "  integration  $(counts failsafe)"
    say "  slowest classes:"
    slowest 10
    list_skipped
    say "  total        $(printf '%4d' $((EPOCHSECONDS - $1))) s"
}

# A build with -Dquick compiles without static analysis, and Maven would consider its classes up to date.
forget_classes() {
    find "$root" -path "$home" -prune -o -type d \( -path '*/target/classes' -o -path '*/target/test-classes' -o \
        -path '*/target/maven-status' \) -prune -exec rm -rf {} +
}

# Whole folders: a summary of an earlier run would fail the verification of each module that depends on this one.
forget_reports() {
    find "$root" -path "$home" -prune -o -type d \( -path '*/target/surefire-reports' -o -path '*/target/failsafe-reports' \) \
        -prune -exec rm -rf {} +
}

reports() { # surefire, failsafe, or * for both
    find "$root" -path "*/target/$1-reports/TEST-*.xml" -not -path "$home/*"
}

suites() { reports "$1" | { xargs -r grep -ahm1 '<testsuite ' || true; }; } # kind; the first tag of each report

counts() { # surefire or failsafe
    suites "$1" | awk '
        function value(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
        { run += value("tests"); bad += value("failures") + value("errors"); skipped += value("skipped") }
        END { printf "%d tests, %d failed, %d skipped", run, bad, skipped }'
}

slowest() { # how many
    suites '*' | sed -nE 's/.* name="([^"]*)" time="([^"]*)".*/\2 \1/p' | tr -d , | sort -rn | sed -n "1,$1p" |
        while read -r seconds name; do say "$(printf '    %7.1f s  %s' "$seconds" "$name")"; done
}

any_skipped() { [[ -n $(reports '*' | xargs -r grep -ls '<skipped') ]]; }

list_skipped() {
    reports '*' | { xargs -r grep -ahB1 '<skipped' || true; } |
        sed -nE 's/.*<testcase name="([^"]*)" classname="([^"]*)".*/  skipped: \2.\1/p; s/.*<skipped message="([^"]*)".*/           \1/p' |
        while IFS= read -r line; do warn "$line"; done
}
