# shellcheck shell=bash
# Finds a JDK 21 or newer: JAVA_HOME, then PATH, then the newest in the usual folders.

readonly oldest_jdk=21

jdk_version() { # folder; prints nothing if it is not a complete JDK
    local version
    [[ -x $1/bin/javac && -r $1/release ]] || return 0
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    echo "${version:-0}"
}

fits() { # folder
    local version
    version=$(jdk_version "$1")
    [[ -n $version ]] && ((version >= oldest_jdk))
}

jdk_on_path() {
    local javac
    javac=$(command -v javac) || return 0
    javac=$(readlink -f "$javac")
    echo "${javac%/bin/javac}"
}

newest_installed() {
    local folder
    for folder in /usr/lib/jvm/* /opt/* /opt/*/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*; do
        if [[ ! -L $folder ]] && fits "$folder"; then echo "$(jdk_version "$folder") $folder"; fi
    done | sort -rn | sed -n '1s/^[0-9]* //p'
}

find_jdk() {
    local folder
    for folder in "${JAVA_HOME-}" "$(jdk_on_path)" "$(newest_installed)"; do
        if [[ -n $folder ]] && fits "$folder"; then
            export JAVA_HOME=$folder
            java_version=$(jdk_version "$folder")
            return
        fi
    done
    die "no JDK $oldest_jdk or newer found in JAVA_HOME (${JAVA_HOME:-unset}), PATH, /usr/lib/jvm, /opt" \
        "and .sdkman. On Debian 13 or Ubuntu 24.04: apt-get install openjdk-21-jdk-headless; on Debian 12: the package" \
        "temurin-21-jdk or temurin-25-jdk from the repository of Eclipse Temurin. Set JAVA_HOME for any other folder"
}

# Runs a main class of a module, with the libraries that the build copied to target/lib.
run_main() { # module, class, arguments...
    local module=$1 class=$2
    shift 2
    MILLRACE_STACK=${stack-} "$JAVA_HOME/bin/java" -cp "$(class_path "$module")" "$class" "$@"
}

# A measurement among the tests of a module, which uses what they share.
run_test_main() { # module, class, arguments...
    local target=$root/$1/target
    (cd "$root/$1" && exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC \
        -cp "$target/test-classes:$target/classes:$(<"$target/test-classpath")" "$2" "${@:3}")
}

class_path() { # module; its own jar comes first
    local -a jars=("$root/$1"/target/millrace-*-SNAPSHOT.jar "$root/$1"/target/lib/*.jar)
    (IFS=: && echo "${jars[*]}")
}
