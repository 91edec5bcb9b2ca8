package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.transfer.objectstore.StoredTree;
import io.millrace.agent.wlm.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Copies the fetched objects of a tree to the cache, under the names {@code SHA-256-SIZE}, then removes the least recently used files beyond its
 * size.
 *
 * @param objects absolute path of the folder of the fetched objects, which no job can write to yet
 */
record StoreObjectsInCache(String objects, String cache, StoredTree tree, long limit_bytes, Duration limit)
        implements CommandLine<Boolean> {

    private static final String SCRIPT = """
        export LC_ALL=C
        objects=$1 cache=$2 limit=$3
        mkdir -p -m 0700 -- "$cache" && exec 9>"$cache/.lock" && flock 9 || exit
        while IFS=' ' read -r -d '' sum size _; do
            key=$sum-$size
            if [[ -e $cache/$key || ! -e $objects/$sum ]] || ((size > limit)); then continue; fi
            rm -f -- "$cache/.new"
            cp --reflink=auto -T -- "$objects/$sum" "$cache/.new" && chmod 400 -- "$cache/.new" &&
                mv -T -- "$cache/.new" "$cache/$key"
        done
        rm -f -- "$cache/.new"
        """ + FileCache.EVICT;

    @Override
    public List<String> argv() {
        return List.of("bash", "-c", SCRIPT, "store", objects, cache, Long.toString(limit_bytes));
    }

    @Override
    public byte[] input() {
        return tree.lines().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The job does not need the cache: a failure is not reported. */
    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return Answer.ok(result.succeeded());
    }
}
