package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;

/**
 * Copies the large files that a copy transferred to the cache, named by the checksums that rsync computed of them meanwhile, then removes
 * the least recently used files beyond its size. The job may write to its files, so the cache has copies (with shared blocks where the file
 * system can), never hard links.
 */
record StoreInCache(Place to, String cache, long limit_bytes, Duration limit) implements CommandLine<Boolean> {

    private static final String SCRIPT = """
        export LC_ALL=C
        cd -- "$1" || exit
        cache=$2 limit=$3 large=$4 sent=$5
        mkdir -p -m 0700 -- "$cache" || exit
        sed -n 's/^>f.\\{9\\} \\([0-9a-f]\\{16,\\}\\)\\/\\([0-9]\\{7,\\}\\)\\//\\1-\\2 /p' "$sent" |
        """ + Rsync.UNESCAPE + """
            while IFS= read -r -d '' line; do
                key=${line%% *} name=${line#* }
                size=${key#*-}
                if [[ -e $cache/$key ]] || ((size < large || size > limit)); then continue; fi
                rm -f -- "$cache/.new"
                cp --reflink=auto -T -- "./$name" "$cache/.new" && chmod 400 -- "$cache/.new" || break
                mv -T -- "$cache/.new" "$cache/$key"
            done
        rm -f -- "$cache/.new"
        total=0
        find "$cache" -maxdepth 1 -type f -printf '%T@ %s %f\\n' | sort -rn |
            while read -r _ size name; do
                total=$((total + size))
                if ((total > limit)); then rm -f -- "$cache/$name"; fi
            done
        """;

    @Override
    public List<String> argv() {
        return List.of(
                "bash",
                "-c",
                SCRIPT,
                "store",
                to.path(),
                cache,
                Long.toString(limit_bytes),
                Long.toString(TakeCachedFiles.LARGE_BYTES),
                CopyTrees.SENT);
    }

    @Override
    public Duration limit() {
        return limit;
    }

    /** The job does not need the cache: a failure is not reported. */
    @Override
    public Answer<Boolean> read(final CommandResult result) {
        return Answer.ok(result.succeeded());
    }
}
