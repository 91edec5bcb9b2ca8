package io.millrace.agent.transfer.objectstore;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the large files that need not be fetched: those that an earlier try has fetched, and those that the destination has under the same
 * name. The answer is the checksums of the others.
 *
 * @param to the destination
 * @param objects folder of the fetched objects, relative to the destination
 */
public record FindObjects(String to, String objects, StoredTree tree, Duration limit)
        implements CommandLine<Set<String>> {

    private static final String SCRIPT = """
        export LC_ALL=C
        cd -- "$1" && mkdir -p -m 0700 -- "$2" || exit
        objects=$2
        declare -A seen
        while IFS=' ' read -r -d '' sum size inode mode modified name; do
            if [[ ${seen[$sum]-} ]]; then continue; fi
            seen[$sum]=1
            if [[ -e $objects/$sum ]]; then continue; fi
            name=${name%/}
            if [[ -f $name && ! -L $name && $(stat -c '%s %Y' -- "$name") == "$size ${modified%.*}" ]] &&
                cp --reflink=auto -T -- "$name" "$objects/.new" && [[ $(sha256sum <"$objects/.new") == "$sum "* ]] &&
                mv -T -- "$objects/.new" "$objects/$sum"; then
                continue
            fi
            echo "$sum"
        done
        """;

    @Override
    public List<String> argv() {
        return List.of("bash", "-c", SCRIPT, "find", to, objects);
    }

    @Override
    public byte[] input() {
        return tree.lines().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public Answer<Set<String>> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(result.outputText().lines().collect(Collectors.toSet()))
                : Answer.trouble(
                        Answer.Kind.REJECTED, "cannot prepare '" + to + "/" + objects + "': " + result.errorText());
    }
}
