# shellcheck shell=bash
# Builds if a source is newer than the last successful build, and shows the progress.

built() { echo "$root/target/built"; }

stale() {
    local marker
    marker=$(built)
    [[ ! -e $marker ]] && return 0
    [[ -n $(find "$root" \( -name target -o -name .git -o -name .millrace -o -path "$home" \) -prune -o \
        \( -path '*/src/main/*' -o -name pom.xml \) -newer "$marker" -type f -print -quit) ]]
}

build_if_needed() {
    local log=$root/target/build.log started=$EPOCHSECONDS marker
    if ! stale; then return; fi
    mkdir -p "$root/target" 2>/dev/null && [[ -w $root/target ]] ||
        die "the sources in $root are newer than the build, and $root/target is not writable for $(id -un): ask the owner of this folder" \
            'to run ./millrace, or copy the folder'
    need_space "$root/target" 800
    rm -rf "$root"/{cli,simulator,cluster-agent/history,deploy/embedded,deploy/story,lab/planners,lab/campaigns,lab/parts}/target/lib # may hold libraries of an older build
    marker=$(mktemp "$root/target/started.XXXXXX") # a source saved during the build is newer than this file
    say "building (log: $log); the first build downloads its dependencies"
    maven -Dquick package >"$log" 2>&1 </dev/null &
    show_build $! "$log" || {
        rm -f "$marker"
        grep -E '^\[ERROR\]' "$log" | head -n 20 >&2 || true
        die "the build failed after $((EPOCHSECONDS - started)) s; log: $log"
    }
    mv "$marker" "$(built)"
    rm -f "$home"/cache/*.jsa* # class archives of the old jars
    "$root/cli/src/main/bin/mgsub" --make-start-cache >/dev/null 2>&1 </dev/null || true # without it, commands only start slower
    say "built in $((EPOCHSECONDS - started)) s"
}

# Carries the mark of the stack, so that it ends with the launcher even if that is killed. Without the optimizing compiler, which takes a
# third of the processor time of a build and does not save it.
maven() {
    (cd "$root" && MILLRACE_STACK=${stack-} MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS-}" exec ./mvnw -B -ntp "$@")
}

# Shows the module that is being built; returns the build's exit code.
show_build() { # pid, log
    local started=$EPOCHSECONDS shown='' line
    while kill -0 "$1" 2>/dev/null; do
        line=$(grep -E '^\[INFO\] Building .*\[[0-9]+/[0-9]+\]' "$2" | tail -n 1 |
            sed -E 's/^\[INFO\] Building millrace-?([^ ]*) .*(\[.*\])/\2 \1/' || true)
        if [[ -n $terminal ]]; then
            passing "  $line  $((EPOCHSECONDS - started)) s"
        elif [[ $line != "$shown" ]]; then
            say "  $line  $((EPOCHSECONDS - started)) s"
            shown=$line
        fi
        sleep 0.5
    done
    wait "$1"
}
