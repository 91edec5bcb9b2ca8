package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates folders with access for their owner only, unless they exist, and checks that each is a folder of the user who runs the command.
 * None of them may be a symbolic link, which another user could have created.
 *
 * @param own a folder that must exist and belong to the user, who may have made it a symbolic link; null: none
 * @param folders absolute paths, outermost first
 * @param remedy what the reader of the error message can do if the user has no permission to create them
 */
record MakeFolders(@Nullable String own, List<String> folders, String remedy) implements CommandLine<Boolean> {

    private static final int NOT_OWNED = 3;

    private static final String SCRIPT = """
        not_owned() {
            printf '%s' "$1"
            exit 3
        }
        check() {
            [[ -d $1 && -O $1 && ! -L $1 ]] || not_owned "$1"
        }
        [[ -z $1 || -d $1 && -O $1 ]] || not_owned "$1"
        shift
        for folder; do [[ ! -e $folder && ! -L $folder ]] || check "$folder"; done
        umask 077
        mkdir -p -- "${!#}" || exit 1
        for folder; do check "$folder"; done
        """;

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(List.of("bash", "-c", SCRIPT, "folders", own == null ? "" : own));
        words.addAll(folders);
        return List.copyOf(words);
    }

    @Override
    public Answer<Boolean> read(final CommandResult result) {
        if (result.succeeded()) {
            return Answer.ok(true);
        }
        return Answer.trouble(
                Answer.Kind.DENIED,
                result.exit() == NOT_OWNED
                        ? "'" + result.outputText()
                                + "' is not a folder of the job's owner; make it theirs or choose another"
                        : "cannot make '" + folders.getLast() + "': " + result.errorText() + "; " + remedy);
    }
}
