package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;

/**
 * Copies the large files of a verified copy to the cache, named by the checksums of the verification, then removes the least recently used
 * files beyond its size. The job may write to its files, so the cache has copies (with shared blocks where the file system can), never hard
 * links.
 *
 * <p>This runs after the answer, and the job may run already: a file that has changed since the begin of the verification is not stored. A
 * file gets its name in the cache when it is complete, so a crash leaves no damaged one. {@link RemoveLeftovers} has moved the list of files
 * here.
 */
record StoreInCache(Place to, String cache, long limit_bytes, Duration limit) implements CommandLine<Boolean> {

    private static final String SCRIPT = Rsync.INSIDE + """
        export LC_ALL=C
        cd -- "$1" || exit
        cache=$2 limit=$3 large=$4 verified=$2/.verified-${1##*/} begun=$2/.begun-${1##*/}
        exec 9>"$cache/.lock" && flock 9 || exit
        sed -n 's/^\\([0-9a-f]\\{16,\\}\\)\\/\\([0-9]\\{7,\\}\\)\\//\\1-\\2 /p' "$verified" |
        """ + Rsync.names(1) + """
            while IFS= read -r -d '' line; do
                key=${line%% *} name=${line#* }
                size=${key#*-}
                if [[ -e $cache/$key ]] || ((size < large || size > limit)); then continue; fi
                inside "./$name" || continue
                rm -f -- "$cache/.new"
                cp --reflink=auto -T -- "./$name" "$cache/.new" && chmod 400 -- "$cache/.new" || continue
                if [[ $(find "./$name" -maxdepth 0 -type f ! -cnewer "$begun") ]]; then mv -T -- "$cache/.new" "$cache/$key"; fi
            done
        rm -f -- "$cache/.new" "$verified" "$begun"
        find "$cache" -maxdepth 1 -name '.[vb]e*' -mmin +1440 -delete
        total=0
        find "$cache" -maxdepth 1 -type f -name '*-*' ! -name '.*' -printf '%T@ %s %f\\n' | sort -rn |
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
                Long.toString(TakeCachedFiles.LARGE_BYTES));
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
