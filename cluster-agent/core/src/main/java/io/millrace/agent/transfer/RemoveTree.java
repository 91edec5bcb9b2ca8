package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.List;

/**
 * Removes a folder whose parent belongs to the user who runs the command. Symbolic links are removed and never followed, and other file
 * systems below it are not entered. Folders that a job has made read-only are made writable first.
 *
 * <p>The owner's cache is removed with the last folder beside it.
 *
 * <p>If a path component is replaced by a link meanwhile, the command still has no other rights than those of the user who replaced it.
 */
record RemoveTree(String folder) implements CommandLine<String> {

    private static final String SCRIPT = """
        export LC_ALL=C
        parent=${1%/*}
        if [[ -L $parent || -e $parent && ! -O $parent ]]; then
            echo "'$parent' is not a folder of the job's owner" >&2
            exit 1
        fi
        if [[ ! -e $1 && ! -L $1 ]]; then
            echo gone
        else
            find -P "$1" -xdev -type d ! -perm -u=rwx -exec chmod u+rwx -- {} \\; || exit
            freed=$(du -s -x --block-size=1 -- "$1")
            echo "${freed%%$'\t'*}"
        fi
        rm -r -f --one-file-system -- "$1" || exit
        shopt -s dotglob nullglob
        rest=("$parent"/*)
        if [[ ${rest[*]} == "$parent/$2" ]]; then rm -r -f --one-file-system -- "$parent/$2"; fi
        """;

    @Override
    public List<String> argv() {
        return List.of("bash", "-c", SCRIPT, "remove", folder, FileCache.FOLDER);
    }

    @Override
    public Duration limit() {
        return Duration.ofHours(6);
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        if (!result.succeeded()) {
            return Answer.trouble(
                    Answer.Kind.REJECTED, "'" + folder + "' could not be removed completely: " + result.errorText());
        }
        final String freed = result.outputText().strip();
        return Answer.ok(freed.equals("gone") ? "it did not exist any more" : freed + " bytes of disk space freed");
    }
}
