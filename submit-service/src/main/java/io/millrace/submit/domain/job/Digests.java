package io.millrace.submit.domain.job;

import io.millrace.model.JobKey;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/** SHA-256 over what must not change unnoticed, in hexadecimal. */
public final class Digests {

    private Digests() {}

    /**
     * What a submission's signature covers: the script's bytes, one zero byte, the make step's bytes (nothing if there is none). The agent
     * computes the same before it acts for the owner.
     */
    public static String ofScripts(final JobSpec spec) {
        final MessageDigest sha = sha256();
        sha.update(spec.script().getBytes(StandardCharsets.UTF_8));
        sha.update((byte) 0);
        if (spec.make() != null) {
            sha.update(spec.make().getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /** Everything the user asked for, without what each try adds (time, signature): two records with one id are one job if it agrees. */
    public static String ofSubmission(final JobSubmitted job) {
        final JobSpec spec = job.spec();
        final MessageDigest sha = sha256();
        for (final Object part : new Object[] {
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
            new TreeMap<>(spec.environment())
        }) {
            final byte[] text = String.valueOf(part).getBytes(StandardCharsets.UTF_8);
            sha.update((text.length + ":").getBytes(StandardCharsets.US_ASCII));
            sha.update(text);
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /** Which run of which local job, 16 bytes: five of its submit time, which keep neighbours in time together, and eleven of a digest. */
    public static String ofRun(final JobKey job, final int run) {
        final byte[] digest = sha256().digest((job + "#" + run).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits(job.submittedAt().getEpochSecond(), 10)
                + HexFormat.of().formatHex(digest, 0, 11);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
