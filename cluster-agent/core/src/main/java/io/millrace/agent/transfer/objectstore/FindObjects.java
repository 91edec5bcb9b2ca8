package io.millrace.agent.transfer.objectstore;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the large files that need not be fetched: those that an earlier try has fetched, those that the destination has under the same name, and
 * those in the cache. The answer is the checksums of the others, and how many bytes of each have arrived.
 *
 * @param to the destination
 * @param objects folder of the fetched objects, relative to the destination
 * @param cache folder of the cached files, named {@code SHA-256-SIZE}; null: none
 */
public record FindObjects(
        String to, String objects, @Nullable String cache, StoredTree tree, Duration limit)
        implements CommandLine<Map<String, Long>> {

    private static final String SCRIPT = """
        export LC_ALL=C
        cd -- "$1" && mkdir -p -m 0700 -- "$2" || exit
        objects=$2 cache=$3
        take() { # file, checksum; 2 if it has another one
            [[ -f $1 && ! -L $1 ]] && cp --reflink=auto -T -- "$1" "$objects/.new" || return 1
            [[ $(sha256sum <"$objects/.new") == "$2 "* ]] || return 2
            mv -f -T -- "$objects/.new" "$objects/$2"
        }
        declare -A seen
        while IFS=' ' read -r -d '' sum size inode mode modified name; do
            if [[ ${seen[$sum]-} ]]; then continue; fi
            seen[$sum]=1
            if [[ -e $objects/$sum ]]; then continue; fi
            name=${name%/}
            if [[ $(stat -c '%s %Y' -- "$name" 2>/dev/null) == "$size ${modified%.*}" ]] && take "$name" "$sum"; then continue; fi
            cached=$cache/$sum-$size
            if [[ -n $cache ]]; then
                take "$cached" "$sum"
                case $? in
                    0) touch -c -- "$cached"; continue ;;
                    2) rm -f -- "$cached" ;;
                esac
            fi
            echo "$sum $(stat -c %s -- "$objects/.part-$sum" 2>/dev/null || echo 0)"
        done
        """;

    @Override
    public List<String> argv() {
        return List.of("bash", "-c", SCRIPT, "find", to, objects, cache == null ? "" : cache);
    }

    @Override
    public byte[] input() {
        return tree.lines().getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public Answer<Map<String, Long>> read(final CommandResult result) {
        return result.succeeded()
                ? Answer.ok(result.outputText()
                        .lines()
                        .map(line -> line.split(" "))
                        .collect(Collectors.toMap(words -> words[0], words -> Long.valueOf(words[1]))))
                : Answer.trouble(
                        Answer.Kind.REJECTED, "cannot prepare '" + to + "/" + objects + "': " + result.errorText());
    }
}
