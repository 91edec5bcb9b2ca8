# shellcheck shell=bash
# Users of labs and embedded stacks. A user that did not exist is created, and recorded before that in <folder>/users. Folders share users
# by a note in the user's home; the last folder removes them.

readonly gecos='Millrace lab user'

# One lock for all source trees on this machine; only root creates users.
users_lock() { exec 9>/run/millrace-lab-users.lock && flock 9; }

mark_path() { echo "$(home_of "$2")/.millrace-lab/${1//\//%}"; } # folder, user
home_of() { getent passwd "$1" | cut -d: -f6; }
lab_made() { [[ $(getent passwd "$1" | cut -d: -f5) == "$gecos"* ]]; }

create_users() { # folder, users...
    local folder=$1 name
    users_lock
    for name in "${@:2}"; do create_user "$folder" "$name"; done
    exec 9<&-
}

create_user() { # folder, user
    local at
    if ! id "$2" >/dev/null 2>&1; then
        echo "$2" >>"$1/users"
        useradd --create-home --base-dir /home --shell /bin/bash --comment "$gecos" "$2"
    elif lab_made "$2"; then
        echo "$2" >>"$1/users"
    else
        say "user $2 exists already; it is used as it is, and is not removed later"
        return
    fi
    at=$(home_of "$2")
    # The user owns the home and may have put a link there.
    setpriv --reuid="$2" --regid="$2" --init-groups -- mkdir -p "$at/.millrace-lab"
    echo "$1" | setpriv --reuid="$2" --regid="$2" --init-groups -- tee "$(mark_path "$1" "$2")" >/dev/null
}

remove_users() { # folder
    local name
    [[ -e $1/users ]] || return 0
    users_lock
    for name in $(sort -u "$1/users"); do remove_user "$1" "$name"; done
    exec 9<&-
    rm -f "$1/users"
}

remove_user() { # folder, user
    id "$2" >/dev/null 2>&1 && lab_made "$2" || return 0
    rm -f "$(mark_path "$1" "$2")"
    if used_elsewhere "$1" "$2"; then return 0; fi
    pkill -KILL -U "$2" || true # the account was created here, so all its processes are ours
    sleep 0.1
    userdel --remove "$2" 2> >(grep -v 'mail spool' >&2)
    [[ ! -e /home/$2 ]] || rm -rf "/home/${2:?}"
}

used_elsewhere() { # folder, user; another folder that still exists has its note in this user's home
    local note other
    for note in "$(home_of "$2")"/.millrace-lab/*; do
        [[ -f $note && ! -L $note ]] && read -r other <"$note" && [[ $other != "$1" && -e $other/users ]] && return 0
    done
    return 1
}
