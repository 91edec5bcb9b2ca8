# shellcheck shell=bash
# Settings of the services and agents: the lines of millrace.conf, then the environment of 'up' and of each 'restart', which $stack/settings
# remembers, as $stack/settings-file does the name of that file. A setting that the launcher itself makes, such as a port, has precedence.

settings_file() {
    if [[ -n ${MILLRACE_CONF-} ]]; then
        echo "$MILLRACE_CONF"
    elif [[ -e $stack/settings-file ]]; then
        cat "$stack/settings-file"
    else
        echo "$root/deploy/launcher/millrace.conf"
    fi
}

known_settings() { # prints key, environment variable and type of each, from the generated reference
    sed -nE 's/^\| `(millrace\.[^`]+)` \| `([A-Z0-9_]+)` \| ([^|]+) \|.*/\1 \2 \3/p' "$root/docs/guide/settings.md"
}

# The lines of a file of settings, key=value, without comments and empty lines.
setting_lines() { # file
    sed -E 's/^[[:space:]]+//; s/[[:space:]]+$//; /^(#|$)/d; s/[[:space:]]*=[[:space:]]*/=/' "$1"
}

# Refuses unknown keys in millrace.conf, in the file of clusters and in the environment.
check_settings() { # file of clusters or nothing
    local file key name line word
    local -A keys=() names=()
    local -a words
    file=$(settings_file)
    while read -r key name _; do keys[$key]=1 names[$name]=1; done < <(known_settings)
    if [[ $file != "$root/deploy/launcher/millrace.conf" || -e $file ]]; then
        [[ -r $file ]] || die "cannot read the file of settings $file"
        while read -r line; do
            [[ $line == *=* ]] || die "$file: '$line' is not of the form KEY=VALUE"
            key=${line%%=*}
            [[ $key != millrace.* || -n ${keys[$key]-} ]] || unknown_setting "$file: unknown setting" "$key" "${!keys[@]}"
        done < <(setting_lines "$file")
    fi
    if [[ -n ${1-} ]]; then
        while read -ra words; do
            for word in "${words[@]:2}"; do
                key=millrace.agent.${word%%=*}
                [[ -n ${keys[$key]-} ]] || unknown_setting "$1: cluster ${words[0]}: unknown setting" "$key" "${!keys[@]}"
            done
        done < <(cluster_lines "$1")
    fi
    for name in "${!MILLRACE_@}"; do
        case $name in
            MILLRACE_KAFKA_PORT) ;;
            MILLRACE_AGENT_* | MILLRACE_BACKFILL_* | MILLRACE_CLASSIFIER_* | MILLRACE_KAFKA_* | MILLRACE_MIGRATION_* | MILLRACE_QUOTA_* | \
                MILLRACE_SUBMIT_* | MILLRACE_TRANSFER_*)
                [[ -n ${names[$name]-} ]] || unknown_setting 'unknown environment variable' "$name" "${!names[@]}"
                ;;
        esac
    done
}

unknown_setting() { # what, word, known words...
    local close
    close=$(nearest "${@:2}")
    die "$1 '$2'${close:+; did you mean '$close'?} docs/guide/settings.md lists all settings"
}

# A new start has only the settings of its own environment.
forget_settings() { rm -f "$stack"/{settings,settings-file}; }

# Adds the settings in the environment to those remembered. An empty value removes one. Paths become absolute.
remember_settings() {
    local name type value
    if [[ -n ${MILLRACE_CONF-} ]]; then realpath -ms -- "$MILLRACE_CONF" >"$stack/settings-file"; fi
    touch "$stack/settings"
    chmod 600 "$stack/settings"
    while read -r _ name type; do
        [[ -v $name ]] || continue
        value=${!name}
        if [[ $type == path && -n $value ]]; then value=$(realpath -m -- "$value"); fi
        sed -i "/^$name=/d" "$stack/settings"
        if [[ -n $value ]]; then echo "$name=$value" >>"$stack/settings"; fi
    done < <(known_settings)
}

# All settings as environment variables, the remembered ones last.
settings() {
    local file line key name type folder
    local -A names=() types=()
    file=$(settings_file)
    if [[ -r $file ]]; then
        folder=$(cd "$(dirname "$file")" && pwd)
        while read -r key name type; do names[$key]=$name types[$key]=$type; done < <(known_settings)
        while read -r line; do
            key=${line%%=*} line=${line#*=}
            if [[ ${types[$key]-} == path && $line != /* ]]; then line=$folder/$line; fi
            name=${names[$key]-${key//[^A-Za-z0-9]/_}}
            echo "${name^^}=$line"
        done < <(setting_lines "$file")
    fi
    if [[ -e $stack/settings ]]; then cat "$stack/settings"; fi
}

# A setting that the launcher makes itself is not overridden in silence.
warn_of_overridden() { # part, NAME=value of the launcher...
    local -A made=()
    local part=$1 line name
    shift
    for line in "$@"; do made[${line%%=*}]=${line#*=}; done
    while read -r line; do
        name=${line%%=*}
        [[ $name != MILLRACE_SUBMIT_OPERATORS && -v made[$name] && ${made[$name]} != "${line#*=}" ]] || continue
        warn "$part: setting $name has no effect here; './millrace' sets it to '${made[$name]}'"
    done < <(settings)
}

show_settings() {
    local file lines
    file=$(settings_file)
    if [[ -r $file ]]; then lines=$(setting_lines "$file"); fi
    if [[ -n ${lines-} ]]; then printf 'settings of %s\n%s\n' "$file" "$lines"; fi
    if [[ -s $stack/settings ]]; then
        printf 'settings from the environment, kept for restarts\n%s\n' "$(<"$stack/settings")"
    fi
}
