package io.millrace.agent.lsf;

import io.millrace.model.AttemptId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/**
 * What bsub reads from its standard input. It takes lines that begin with {@code #BSUB} (the work-alike: with {@code #} and BSUB somewhere
 * behind) for orders, wherever they stand, keeps the whole text as the job's command and shows it in every list: so the batch script
 * travels packed, with the tag in front.
 */
final class JobScript {

    private static final int COLUMNS = 76;

    private JobScript() {}

    /**
     * @param script runs in a login shell of the owner
     * @param nonce a word that nobody can guess, letters and digits only
     */
    static String of(final AttemptId attempt, final String script, final String nonce) {
        final String end = "MILLRACE_" + nonce;
        // One group: should the agent die while it writes, half a script is a syntax error and runs nothing.
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
