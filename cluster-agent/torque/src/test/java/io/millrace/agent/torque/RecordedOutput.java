package io.millrace.agent.torque;

import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Transcript;
import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;

/** Output recorded from Torque 6. */
public final class RecordedOutput {

    public static final TorqueSite SITE = new TorqueSite(
            ClusterId.of("vm"),
            null,
            null,
            Path.of("/var/spool/torque/server_priv/accounting"),
            ZoneOffset.UTC,
            Path.of("/var/lib/millrace/tags"),
            false);

    private static final String FOLDER = "/torque/";

    private RecordedOutput() {}

    /** @param number the first three digits of the file name */
    public static Transcript of(final String number) {
        return Transcript.numbered(FOLDER, number);
    }

    public static List<Transcript> all() {
        return Transcript.all(FOLDER);
    }
}
