package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts the large files of the source that are in the cache at their place in the destination, with the time of the source, so that rsync
 * does not transfer them. Only files with the size of a cached file are read at the source.
 *
 * <p>rsync on the other side computes the checksums that name the files, so only what the owner can read there is found here. A file that
 * cannot be copied from the cache is not an error: rsync transfers it.
 *
 * @param cache the folder of the owner's cached files, named {@code CHECKSUM-SIZE}
 */
record TakeCachedFiles(TransferSettings settings, CopyTree order, String cache)
        implements CommandLine<TakeCachedFiles.Taken> {

    /**
     * @param bytes of the files that were in the cache
     * @param missing number of large files that were not
     */
    record Taken(long bytes, int missing) {}

    /** Smaller files are transferred: finding them would take as long. */
    static final long LARGE_BYTES = 1024 * 1024;

    private static final Pattern TAKEN = Pattern.compile("(?<bytes>\\d{1,18}) (?<missing>\\d{1,9})\\s*");

    private static final String SCRIPT =
            Rsync.BOUNDED + Rsync.INSIDE + """
        set -o pipefail
        export LC_ALL=C TZ=UTC0
        cd -- "$1" || exit
        cache=$2 candidates=$3 words=$4 work=${3%/*}
        shift 4
        if [[ -e $cache/.lock ]]; then exec 9<"$cache/.lock" && flock -s 9; fi
        bytes=0 missing=0
        declare -A sizes
        for entry in "$cache"/*-*; do sizes[${entry##*-}]=1; done
        "${@:1:words}" | sed -n 's/^>f.\\{9\\} //p' |
        """ + Rsync.names(1) + """
            cat >"$work/list" || exit
        while IFS= read -r -d '' line; do
            if [[ ${sizes[${line%% *}]-} ]]; then
                printf '%s\\0' "${line#* }"
            else
                missing=$((missing + 1))
            fi
        done <"$work/list" >"$candidates"
        if [[ -s $candidates ]]; then
            "${@:words+1}" |
                sed -n 's/^\\([0-9a-f]\\{16,\\} [0-9]* [0-9\\/]*\\)-\\([0-9:]*\\) >f.\\{9\\} /\\1 \\2 /p' |
        """ + Rsync.names(4) + """
                cat >"$work/list" || exit
            while IFS= read -r -d '' line; do
                read -r checksum size date time _ <<<"$line"
                name=${line#* * * * }
                entry=$cache/$checksum-$size
                if [[ -f $entry && ! -L $entry ]] && inside "./$name" && mkdir -p -- "./${name%"${name##*/}"}" &&
                    cp --reflink=auto -T -- "$entry" "$work/cached" && touch -d "$date $time" -- "$work/cached" &&
                    mv -f -T -- "$work/cached" "./$name"; then
                    touch -c -- "$entry"
                    bytes=$((bytes + size))
                else
                    missing=$((missing + 1))
                fi
            done <"$work/list"
        fi
        echo "$bytes $missing"
        """;

    @Override
    public List<String> argv() {
        final String minimum = "--min-size=" + LARGE_BYTES;
        final List<String> list =
                between(Rsync.words(settings, settings.silence(), "--dry-run", "--out-format=%i %l %n", minimum));
        final List<String> checksums = between(Rsync.words(
                settings,
                settings.silence(),
                "--dry-run",
                "--checksum",
                "--out-format=%C %l %M %i %n",
                minimum,
                "--from0",
                "--files-from=" + order.to().path() + "/" + candidates()));
        final List<String> words = new ArrayList<>(
                List.of("bash", "-c", SCRIPT, "take", order.to().path(), cache, candidates(), "" + list.size()));
        words.addAll(list);
        words.addAll(checksums);
        return List.copyOf(words);
    }

    /** The large files that may be in the cache. */
    private String candidates() {
        return Rsync.working(order, "large");
    }

    private List<String> between(final List<String> words) {
        return Rsync.between(settings, order, words);
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    @Override
    public Answer<Taken> read(final CommandResult result) {
        final Matcher taken = TAKEN.matcher(result.outputText());
        return result.succeeded() && taken.matches()
                ? Answer.ok(new Taken(Long.parseLong(taken.group("bytes")), Integer.parseInt(taken.group("missing"))))
                : RsyncErrors.read(result, order.from(), order.to());
    }
}
