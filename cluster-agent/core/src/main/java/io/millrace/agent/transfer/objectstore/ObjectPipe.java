package io.millrace.agent.transfer.objectstore;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Passes the bytes of an object between rclone, which runs as the agent, and a command that runs as the owner of the files. The answer is
 * the SHA-256 of an object that was written, or an empty text.
 *
 * @param limit time limit
 * @param isWrite whether the owner's command writes the object
 * @param owner words of the owner's command
 * @param rclone words of rclone
 */
public record ObjectPipe(ObjectStore store, Duration limit, boolean isWrite, List<String> owner, List<String> rclone)
        implements CommandLine<String> {

    /** Exit code of a reading command for bytes with another checksum. */
    static final int DAMAGED = 3;

    /** The messages of rclone go to standard output, those of the owner's command to standard error. */
    private static final String SCRIPT = """
        exec 3>&1
        words=$2
        if [[ $1 == write ]]; then
            shift 2
            "${@:1:words}" | tee >(sha256sum >&3) | "${@:words+1}" 1>&3 2>&3
            status=("${PIPESTATUS[0]}" "${PIPESTATUS[2]}")
        else
            shift 2
            "${@:words+1}" 2>&3 | "${@:1:words}" >&2
            status=("${PIPESTATUS[1]}" "${PIPESTATUS[0]}")
        fi
        echo "status ${status[*]}" >&3
        """;

    private static final Pattern STATUS = Pattern.compile("(?m)^status (\\d{1,3}) (\\d{1,3})$");
    private static final Pattern SUM = Pattern.compile("(?m)^([0-9a-f]{64}) +-$");
    private static final int PIPE_CLOSED = 141;

    public static ObjectPipe write(
            final ObjectStore store,
            final Duration stall,
            final Duration limit,
            final int bandwidth_kib_s,
            final List<String> owner,
            final List<String> rcat) {
        return new ObjectPipe(store, limit, true, owner, rclone(store, stall, bandwidth_kib_s, rcat));
    }

    /** @param offset how many bytes of the object are not read */
    public static ObjectPipe read(
            final ObjectStore store,
            final Duration stall,
            final Duration limit,
            final int bandwidth_kib_s,
            final List<String> owner,
            final String path,
            final long offset) {
        return new ObjectPipe(
                store,
                limit,
                false,
                owner,
                rclone(store, stall, bandwidth_kib_s, List.of("cat", "--offset=" + offset, path)));
    }

    private static List<String> rclone(
            final ObjectStore store, final Duration stall, final int bandwidth_kib_s, final List<String> words) {
        final List<String> all = new ArrayList<>(List.of("--stats=1s", "--stats-one-line", "--stats-log-level=NOTICE"));
        all.addAll(words);
        return store.words(stall, bandwidth_kib_s, all);
    }

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(
                List.of("bash", "-c", SCRIPT, "pipe", isWrite ? "write" : "read", Integer.toString(owner.size())));
        words.addAll(owner);
        words.addAll(rclone);
        return List.copyOf(words);
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        final String output = result.outputText();
        final Matcher status = STATUS.matcher(output);
        if (!status.find()) {
            return Answer.trouble(
                    Answer.Kind.STOPPED,
                    "the copy " + (isWrite ? "to" : "from") + " object store '" + store.name() + "' was stopped (exit "
                            + result.exit() + "): " + result.errorText());
        }
        final int ofOwner = Integer.parseInt(status.group(1));
        final int ofRclone = Integer.parseInt(status.group(2));
        if (ofOwner != 0 && ofOwner != PIPE_CLOSED) {
            return ofOwner == DAMAGED && ofRclone != 0 ? rcloneFailed(ofRclone, output) : ownerFailed(ofOwner, result);
        }
        if (ofRclone != 0 || ofOwner != 0) {
            return rcloneFailed(ofRclone, output);
        }
        final Matcher sum = SUM.matcher(output);
        return Answer.ok(sum.find() ? sum.group(1) : "");
    }

    private <T> Answer<T> rcloneFailed(final int exit, final String output) {
        return RcloneErrors.read(
                store,
                exit,
                CommandResult.onOneLine(
                        STATUS.matcher(SUM.matcher(output).replaceAll("")).replaceAll(""), "; "));
    }

    private <T> Answer<T> ownerFailed(final int exit, final CommandResult result) {
        final String text = result.errorText();
        if (!isWrite && exit == DAMAGED) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE, "an object of object store '" + store.name() + "' is missing or damaged");
        }
        if (text.contains("Permission denied")) {
            return Answer.trouble(Answer.Kind.DENIED, text + "; make it accessible to the job's owner or move it away");
        }
        if (text.contains("Disk quota exceeded") || text.contains("No space left")) {
            return Answer.trouble(Answer.Kind.REJECTED, text + "; make room at the destination");
        }
        return Answer.trouble(Answer.Kind.REJECTED, text.isEmpty() ? "exit code " + exit : text);
    }
}
