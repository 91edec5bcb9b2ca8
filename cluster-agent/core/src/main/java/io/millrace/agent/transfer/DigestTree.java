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
 * The digest of a copied tree: SHA-256 over the lines of {@code sha256sum -z} for its regular files, sorted by path (bytes). It covers
 * only files that the source has, so it is the same on both sides even if the destination contains other files. Processes of the owner
 * compute it as a stream, so even millions of files need no memory in the agent.
 *
 * <p>The shell that connects the programs runs a fixed script; paths are passed as arguments. rsync prints special bytes in names as
 * {@code \#ooo}.
 */
record DigestTree(TransferSettings settings, Place from, Place to) implements CommandLine<String> {

    /** Turns the lines that rsync prints into names that end with a zero byte. */
    static final String UNESCAPE = """
            sed 's/\\\\/\\\\\\\\/g; s/\\\\\\\\#\\([0-7]\\{3\\}\\)/\\\\0\\1/g' |
            xargs -r -d '\\n' printf '%b\\0' |
        """;

    private static final String PIPELINE = """
        set -o pipefail
        export LC_ALL=C
        cd -- "$1" || exit
        shift
        "$@" |
            sed -n 's/^.f.\\{9\\} //p' |
        """ + UNESCAPE + """
            sort -z |
            xargs -0 -r sha256sum -z -- |
            sha256sum
        """;
    private static final Pattern DIGEST = Pattern.compile("(?<digest>[0-9a-f]{64})  -\\s*");

    @Override
    public List<String> argv() {
        final List<String> words = new ArrayList<>(List.of("bash", "-c", PIPELINE, "digest", to.path()));
        words.addAll(Rsync.between(
                settings,
                from,
                to,
                Rsync.words(settings, settings.silence(), "--dry-run", "-ii", "--out-format=%i %n")));
        return List.copyOf(words);
    }

    @Override
    public Duration limit() {
        return settings.longest();
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        if (!result.succeeded()) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    "the tree that arrived at " + to + " could not be read again: " + result.errorText());
        }
        final Matcher digest = DIGEST.matcher(result.outputText());
        return digest.matches()
                ? Answer.ok(digest.group("digest"))
                : Answer.trouble(Answer.Kind.UNREADABLE, "sha256sum printed no digest of " + to);
    }
}
