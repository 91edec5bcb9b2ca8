package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Gives the files that {@link ChangedFiles} linked their names back, and the files that replaced them a suffix. A file that was not
 * replaced, because the copy failed, only loses its second name. The answer lists the names of the files with two versions.
 *
 * @param changed suffix of the second name
 * @param copied suffix for the file that was copied
 */
record KeepBoth(Place to, String changed, String copied) implements CommandLine<List<String>> {

    private static final String SCRIPT = """
        set -o pipefail
        export LC_ALL=C
        cd -- "$1" || exit
        find . -ignore_readdir_race -xdev -path ./.millrace-arriving -prune -o ! -type d -name "*$2" -print0 |
            while IFS= read -r -d '' second; do
                name=${second%"$2"}
                if [[ $name -ef $second ]]; then
                    rm -f -- "$second" || exit
                else
                    backup=numbered
                    if cmp -s -- "$name" "$name$3"; then backup=none; fi # of an earlier try
                    if [[ -e $name || -L $name ]]; then mv --backup=$backup -f -T -- "$name" "$name$3" || exit; fi
                    mv -n -T -- "$second" "$name" || exit
                    printf '%s\\0' "${name#./}"
                fi
            done
        """;

    @Override
    public List<String> argv() {
        return List.of("bash", "-c", SCRIPT, "keep", to.path(), changed, copied);
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(5);
    }

    @Override
    public Answer<List<String>> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(Arrays.stream(result.outputText().split("\0"))
                        .filter(name -> !name.isEmpty())
                        .sorted()
                        .toList())
                : Answer.trouble(
                        Answer.Kind.REJECTED,
                        "files in " + to + " changed while the job ran; they are kept with the suffix '" + changed
                                + "', because they could not be renamed: " + result.errorText());
    }
}
