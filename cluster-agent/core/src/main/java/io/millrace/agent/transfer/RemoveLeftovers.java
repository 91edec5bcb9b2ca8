package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes the folders that rsync uses during a copy, at its end: that of temporary files, and those with partial files of interrupted
 * copies. Killed copies may have left files in them. rsync removes a folder of partial files when it empties it; the folder remains if
 * rsync was killed right after creating it, or if the file has been removed from the source.
 *
 * @param staged whether {@link Rsync#UPLOADED} is created
 * @param cache folder to which {@link StoreInCache} wants the list of files moved first; null: none
 */
record RemoveLeftovers(
        CopyTree order, boolean staged, @Nullable String cache) implements CommandLine<Boolean> {

    private static final String SCRIPT = """
        if [[ -n $4 ]] && mkdir -p -m 0700 -- "$4"; then
            mv -f -T -- "$1/$5" "$4/.verified-${1##*/}"
            mv -f -T -- "$1/$6" "$4/.begun-${1##*/}"
        fi
        rm -r -f --one-file-system -- "$1/$2" 2>/dev/null || {
            find -P "$1/$2" -xdev -type d ! -perm -u=rwx -exec chmod u+rwx -- {} \\;
            rm -r -f --one-file-system -- "$1/$2" || exit
        }
        rmdir -- "$1/${2%/*}" 2>/dev/null
        find "$1/" -ignore_readdir_race -xdev -path "$1/${2%/*}" -prune -o -type d -name "$3" -prune -exec rm -r -f --one-file-system -- {} + || exit
        if [[ -n $7 ]]; then
            [[ ! -e $1/$7 && ! -L $1/$7 ]] || rm -r -f -- "$1/$7" || exit
            : >"$1/$7"
        fi
        """;

    @Override
    public List<String> argv() {
        return List.of(
                "bash",
                "-c",
                SCRIPT,
                "leftovers",
                order.to().path(),
                Rsync.arriving(order),
                Rsync.PARTIAL,
                cache == null ? "" : cache,
                CompareTrees.verified(order),
                CompareTrees.begun(order),
                staged ? Rsync.UPLOADED : "");
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(true)
                : Answer.trouble(
                        Answer.Kind.REJECTED,
                        "cannot clear '" + Rsync.ARRIVING + "' and '" + Rsync.PARTIAL + "' below " + order.to() + ": "
                                + result.errorText());
    }
}
