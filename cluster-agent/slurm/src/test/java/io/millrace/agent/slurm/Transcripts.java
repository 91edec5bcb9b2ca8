package io.millrace.agent.slurm;

import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.model.ClusterId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code lab/slurm/record} wrote down of a real cluster. */
public final class Transcripts {

    public static final SlurmSite SITE = new SlurmSite(ClusterId.of("alpha"), Path.of("/lab/alpha/etc/slurm.conf"));
    public static final String NONCE = "recorded";

    private Transcripts() {}

    public static ReplayRunner of(final String... names) {
        return new ReplayRunner(List.of(names).stream().map(Transcripts::text).collect(Collectors.joining("\n")));
    }

    public static String text(final String name) {
        try (InputStream stream = Transcripts.class.getResourceAsStream("/slurm/" + name + ".txt")) {
            if (stream == null) {
                throw new IllegalStateException("no transcript " + name + "; run: lab/slurm/record");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
