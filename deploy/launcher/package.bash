# shellcheck shell=bash
# Debian packages of what a centre installs (deploy/packages).

verb_package() { # folder for the packages
    local out=${1-$root/target/packages} version started=$EPOCHSECONDS log=$root/target/packages.log
    (($# <= 1)) || die "'package' accepts one folder, but got '$2'"
    [[ $out == /* ]] || out=$PWD/$out
    find_jdk
    build_if_needed
    version=${MILLRACE_PACKAGE_VERSION-$(package_version)}
    [[ $version =~ ^[0-9][A-Za-z0-9.+~]*$ ]] || die "MILLRACE_PACKAGE_VERSION '$version' is not the version of a Debian package"
    say "laying out version $version (log: $log)"
    mkdir -p "$out"
    {
        "$root/deploy/packages/stage" "$root/target/stage" "$version"
        maven -f "$root/deploy/packages/pom.xml" package "-Dpackages.stage=$root/target/stage" "-Dpackages.out=$out"
    } >"$log" 2>&1 </dev/null || die "the packages cannot be made: $(grep -vE '^(WARNING|\[INFO\])' "$log" | tail -n 5); log: $log"
    rm -rf "$root/target/stage"
    say "made in $((EPOCHSECONDS - started)) s:"
    (cd "$out" && stat -c '  %n, %s bytes' ./*.deb) >&2
}

# A snapshot is older than its release, and newer than an earlier snapshot.
package_version() {
    local version
    version=$(sed -n '/<artifactId>millrace-parent</,/<version>/s|.*<version>\(.*\)</version>|\1|p' "$root/pom.xml")
    if [[ $version == *-SNAPSHOT ]]; then
        version=${version%-SNAPSHOT}~$(git -C "$root" log -1 --format=%cd --date=format:%Y%m%d%H%M 2>/dev/null || date -u +%Y%m%d%H%M)
    fi
    echo "$version"
}
