package io.millrace.agent.lsf;

import io.millrace.model.AttemptId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/**
 * The script that bsub reads from its standard input. bsub treats any line that begins with {@code #BSUB} as options (OpenLava: with
 * {@code #} and BSUB anywhere after it), stores the whole text as the command of the job, and shows it in every listing. So the batch
 * script is compressed and encoded, after the attempt tag.
 */
final class JobScript {

    private static final int COLUMNS = 76;

    private JobScript() {}

    /**
     * @param script runs in a login shell of the owner
     * @param nonce an unpredictable word of letters and digits
     */
    static String of(final AttemptId attempt, final String script, final String nonce) {
        final String end = "MILLRACE_" + nonce;
        // One group: if the agent dies while writing, half a script is a syntax error and runs nothing.
        return "#!/bin/bash\n# millrace " + attempt + "\n{\nexec /bin/bash -l <(base64 -d <<'" + end + "' | gzip -dc\n"
                + packed(script) + end + "\n)\n}\n";
    }

    private static String packed(final String text) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getMimeEncoder(COLUMNS, new byte[] {'\n'}).encodeToString(bytes.toByteArray()) + "\n";
    }
}
