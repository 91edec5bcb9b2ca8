# shellcheck shell=bash
# Every test: unit tests of all modules first, then what needs a broker, a database, processes or Slurm.

verb_test() {
    local failed='' begun=$EPOCHSECONDS
    use_stack test
    find_jdk
    fresh_stack
    guard
    trap 'stop_stack' EXIT
    trap 'exit 130' INT TERM HUP
    mkdir -p "$stack"
    prepare_live_tests
    forget_reports
    forget_classes
    "$root/deploy/launcher/launcher-test" || failed=1
    run_stage unit test "$@" || failed=1
    if [[ -z $failed ]]; then run_stage integration verify -Dskip.unit "$@" || failed=1; fi
    summary "$begun"
    if [[ -n ${CI-} ]] && skipped_live; then
        warn 'in CI a skipped test fails the run'
        failed=1
    fi
    [[ -z $failed ]] || die 'tests failed'
    say "${green}all tests passed${plain}"
}

prepare_live_tests() {
    if can_install; then install_live_packages "${accounting_packages[@]}" || true; fi
    if ! live_ready slurmdbd mariadbd visudo; then
        warn "LIVE TESTS WILL BE SKIPPED: missing here are some of ${live_packages[*]} ${accounting_packages[*]}$( ((EUID == 0)) ||
            echo '; installing them, and running Slurm, needs root')"
    elif ((EUID != 0)); then
        warn 'LIVE TESTS ON SLURM WILL BE SKIPPED: slurmd starts jobs as their owners, which needs root'
    fi
}

stages=()

run_stage() { # name, Maven arguments...
    local name=$1 begun=$EPOCHSECONDS result=passed
    shift
    say "${bold}$name tests${plain}"
    MILLRACE_CACHE=$home/cache maven --fail-at-end "$@" 2>&1 </dev/null | tee "$stack/$name.log" | shown_lines ||
        result=FAILED
    stages+=("$name $((EPOCHSECONDS - begun)) $result")
    [[ $result == passed ]]
}

# Of what Maven says: the module, the test classes, and every error.
shown_lines() {
    grep -a --line-buffered -E '^\[INFO\] Building [^j]|Tests run:.* -- in |^\[ERROR\]|^\[test stack\]|BUILD ' || true
}

summary() { # begin
    local line name seconds result
    say "${bold}summary${plain}"
    for line in "${stages[@]}"; do
        read -r name seconds result <<<"$line"
        say "$(printf '  %-12s %4d s  %-7s %s' "$name" "$seconds" "$result" "$(counts "$name")")"
    done
    list_skipped
    say "  in all       $(printf '%4d' $((EPOCHSECONDS - $1))) s"
}

# A quick build compiles without the analysis, and Maven would take its classes for up to date.
forget_classes() {
    find "$root" -path "$home" -prune -o -type d \( -path '*/target/classes' -o -path '*/target/test-classes' -o \
        -path '*/target/maven-status' \) -prune -exec rm -rf {} +
    find "$root" -path '*/target/jacoco.exec' -delete # it speaks of those classes
}

forget_reports() {
    reports unit | xargs -r rm -f
    reports integration | xargs -r rm -f
}

reports() { # unit or integration
    local kind=surefire
    [[ $1 == unit ]] || kind=failsafe
    find "$root" -path "*/target/$kind-reports/TEST-*.xml" -not -path "$home/*"
}

counts() { # unit or integration
    reports "$1" | { xargs -r grep -ahm1 '<testsuite ' || true; } | awk '
        function value(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
        { run += value("tests"); bad += value("failures") + value("errors"); skipped += value("skipped") }
        END { printf "%d tests, %d failed, %d skipped", run, bad, skipped }'
}

skipped_live() { [[ -n $(reports integration | xargs -r grep -ls '<skipped') ]]; }

list_skipped() {
    { reports unit; reports integration; } | { xargs -r grep -ahB1 '<skipped' || true; } |
        sed -nE 's/.*<testcase name="([^"]*)" classname="([^"]*)".*/  skipped: \2.\1/p; s/.*<skipped message="([^"]*)".*/           \1/p' |
        while IFS= read -r line; do warn "$line"; done
}
