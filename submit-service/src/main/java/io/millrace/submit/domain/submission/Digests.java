package io.millrace.submit.domain.submission;

import io.millrace.model.JobKey;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.script.NumberVariables;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** SHA-256 digests in hexadecimal. */
public final class Digests {

    private Digests() {}

    /** Digest of the request without the parts that differ per attempt (time, number, signature). Records with equal id and digest are the same job. */
    public static String ofSubmission(final JobSubmitted job) {
        final JobSpec spec = job.spec();
        final MessageDigest sha = sha256();
        final List<@Nullable Object> parts = new ArrayList<>(Arrays.<@Nullable Object>asList(
                job.owner(),
                job.source(),
                job.directory(),
                job.target(),
                spec.name(),
                spec.script(),
                spec.make(),
                spec.resources(),
                spec.walltime(),
                spec.partition(),
                spec.project(),
                spec.checkpoint(),
                spec.strict(),
                arguments(spec),
                new TreeMap<>(NumberVariables.removed(spec.environment()))));
        if (job.batch() != null) {
            parts.add(job.batch());
        }
        if (job.dependency() != null) {
            parts.add(job.dependency());
        }
        if (job.request() != null) {
            parts.add(job.request());
        }
        if (job.files() != null) {
            parts.add(job.files());
        }
        if (job.held() != null) {
            parts.add(job.held());
        }
        for (final Object part : parts) {
            final byte[] text = String.valueOf(part).getBytes(StandardCharsets.UTF_8);
            sha.update((text.length + ":").getBytes(StandardCharsets.US_ASCII));
            sha.update(text);
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /** With a delimiter that no argument contains. */
    private static String arguments(final JobSpec spec) {
        return spec.arguments() == null ? "" : String.join("\0", spec.arguments());
    }

    /** Identifies a run of a local job in 16 bytes: 5 bytes of the submit time, so that neighbours in time stay together, and 11 of a digest. */
    public static String ofRun(final JobKey job, final int run) {
        final byte[] digest = sha256().digest((job + "#" + run).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits(job.submittedAt().getEpochSecond(), 10)
                + HexFormat.of().formatHex(digest, 0, 11);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available in this JDK", e);
        }
    }
}
