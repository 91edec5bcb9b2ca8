# shellcheck shell=bash
# Builds when sources are newer than the last good build, and shows how far it is.

built() { echo "$root/target/built"; }

stale() {
    local marker
    marker=$(built)
    [[ ! -e $marker ]] && return 0
    [[ -n $(find "$root" \( -name target -o -name .git -o -name .millrace -o -path "$home" \) -prune -o \
        \( -path '*/src/main/*' -o -name pom.xml \) -newer "$marker" -type f -print -quit) ]]
}

build_if_needed() {
    local log=$root/target/build.log begun=$EPOCHSECONDS marker
    if ! stale; then return; fi
    mkdir -p "$root/target"
    marker=$(mktemp "$root/target/begun.XXXXXX") # sources saved while it builds are newer than this
    say "building (log: $log); the first time downloads what it needs"
    maven -Dquick package >"$log" 2>&1 </dev/null &
    show_build $! "$log" || {
        rm -f "$marker"
        grep -E '^\[ERROR\]' "$log" | head -n 20 >&2 || true
        die "the build failed after $((EPOCHSECONDS - begun)) s; the whole log is $log"
    }
    mv "$marker" "$(built)"
    rm -f "$home"/cache/*.jsa* # class archives of the old jars
    say "built in $((EPOCHSECONDS - begun)) s"
}

# Marked as the stack's, so that it ends with the launcher however that ends.
maven() { (cd "$root" && MILLRACE_STACK=${stack-} exec ./mvnw -B -ntp "$@"); }

# One line a module on a pipe, one line overwritten on a terminal; returns the build's exit code.
show_build() { # pid, log
    local begun=$EPOCHSECONDS shown='' line
    while kill -0 "$1" 2>/dev/null; do
        line=$(grep -E '^\[INFO\] Building .*\[[0-9]+/[0-9]+\]' "$2" | tail -n 1 |
            sed -E 's/^\[INFO\] Building millrace-?([^ ]*) .*(\[.*\])/\2 \1/' || true)
        if [[ -n $terminal ]]; then
            passing "  $line  $((EPOCHSECONDS - begun)) s"
        elif [[ $line != "$shown" ]]; then
            say "  $line  $((EPOCHSECONDS - begun)) s"
            shown=$line
        fi
        sleep 0.5
    done
    wait "$1"
}
