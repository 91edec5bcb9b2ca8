package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies the contents of one folder into another. It resumes a copy that was interrupted.
 *
 * @param thorough whether files with equal size and time are compared by checksum, so that a damaged file is copied again
 */
record CopyTrees(TransferSettings settings, Place from, Place to, boolean thorough)
        implements CommandLine<CopyTrees.Copied> {

    /** @param files number of regular files in the source tree, whether copied now or earlier */
    record Copied(long files, long bytes) {}

    /** A line of {@link Rsync#ITEMS} for each regular file of the source, with its checksum if this copy transferred it. */
    static final String SENT = Rsync.ARRIVING + "/sent";

    /** Of at most six digits. Larger files resume from a partial file, and are sent after the small ones. */
    private static final int SMALL_BYTES = 999_999;

    /** The first rsync sends the small files if there are none yet. Its list is merged into that of the second one, for which they are unchanged. */
    private static final String SCRIPT = """
        export LC_ALL=C
        cd -- "$1" || exit
        sent=$2 small=$2-small work=${2%/*} size=$3 words=$4
        shift 4
        rm -f -- "$small"
        copy() {
            local list=$1 status
            shift
            "$@" | stdbuf -oL tr '\\r' '\\n' | stdbuf -oL sed -e "/^.f.\\{9\\} [0-9a-f ]*\\//w $list" -e '/^[.<>ch*][fdLDS].\\{9\\} /d'
            status=("${PIPESTATUS[@]}")
            ((status[0] == 0 || status[0] == 24)) || exit "${status[0]}"
            ((status[2] == 0)) || exit "${status[2]}"
            return "${status[0]}"
        }
        if ((words > 0)) && [[ -z $(find . -path "./$work" -prune -o -type f -size "-$((size + 1))c" -print -quit) ]]; then
            copy "$small" "${@:1:words}"
        fi
        copy "$sent" "${@:words+1}"
        last=$?
        if [[ -s $small ]]; then
            grep -v '^\\.f.\\{9\\} *\\/[0-9]\\{1,6\\}\\/' "$sent" >>"$small"
            mv -f -- "$small" "$sent" || exit
        fi
        exit "$last"
        """;

    private static final Pattern FILES =
            Pattern.compile("(?m)^Number of files: \\d+(?: \\((?:reg: (?<regular>\\d{1,18}))?.*\\))?$");
    private static final Pattern BYTES = Pattern.compile("(?m)^Total file size: (?<bytes>\\d{1,18}) bytes$");

    @Override
    public List<String> argv() {
        final List<String> small = smallFiles();
        final List<String> argv = new ArrayList<>(List.of(
                "bash", "-c", SCRIPT, "copy", to.path(), SENT, Integer.toString(SMALL_BYTES), "" + small.size()));
        argv.addAll(small);
        final List<String> words = words("--partial-dir=" + Rsync.PARTIAL, "--temp-dir=" + Rsync.ARRIVING, "--stats");
        if (thorough) {
            words.add("--checksum");
        }
        argv.addAll(Rsync.between(settings, from, to, words));
        return List.copyOf(argv);
    }

    /**
     * The small files of a new staged copy, which is not read before the comparison: compressed, and written in place, which takes 40 %
     * less processor time than a temporary file for each.
     */
    private List<String> smallFiles() {
        if (thorough || !Rsync.isRemote(settings, from) || !to.path().startsWith(settings.stagingRoot() + "/")) {
            return List.of();
        }
        return Rsync.between(
                settings,
                from,
                to,
                words(
                        "--max-size=" + SMALL_BYTES,
                        "--no-sparse",
                        "--inplace",
                        "--whole-file",
                        "--compress",
                        "--compress-level=1"));
    }

    private List<String> words(final String... special) {
        final List<String> words = Rsync.words(settings, thorough ? settings.silence() : settings.stall(), special);
        words.addAll(List.of("-ii", Rsync.ITEMS, "--info=progress2"));
        if (settings.bandwidth_kib_s() > 0) {
            words.add("--bwlimit=" + settings.bandwidth_kib_s());
        }
        return words;
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    /** A file that vanished during the copy (exit code 24) is not an error here; the comparison that follows decides. */
    @Override
    public Answer<Copied> read(final CommandResult result) {
        if (!result.succeeded() && result.exit() != 24) {
            return RsyncErrors.read(result, from, to);
        }
        final Matcher files = FILES.matcher(result.outputText());
        final Matcher bytes = BYTES.matcher(result.outputText());
        if (!files.find() || !bytes.find()) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE,
                    "copying " + from + " to " + to + ": rsync printed no statistics this version can read");
        }
        final String regular = files.group("regular");
        return Answer.ok(
                new Copied(regular == null ? 0 : Long.parseLong(regular), Long.parseLong(bytes.group("bytes"))));
    }
}
