package io.millrace.agent.pbspro;

import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Transcript;
import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Output recorded from OpenPBS 23.06.06. */
public final class RecordedOutput {

    public static final PbsSite SITE = new PbsSite(
            ClusterId.of("vm"),
            null,
            Map.of(),
            ZoneOffset.UTC,
            ZoneOffset.UTC,
            Path.of("/var/spool/pbs/server_priv/accounting"),
            null,
            "root",
            PbsSite.Charge.PROJECT);

    private static final String FOLDER = "/pbspro/";

    private RecordedOutput() {}

    /** @param number the first three digits of the file name */
    public static Transcript of(final String number) {
        return Transcript.numbered(FOLDER, number);
    }

    public static List<Transcript> all() {
        return Transcript.all(FOLDER);
    }
}
