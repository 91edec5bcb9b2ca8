package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Transcript;
import java.util.List;

/** Recorded output of OpenLava 4.0.0. */
public final class Recording {

    private static final String FOLDER = "/lsf/openlava-4.0.0/";
    private static final String DOCUMENTED = "/lsf/documented/";

    private Recording() {}

    public static Transcript of(final String name) {
        return Transcript.of(FOLDER, name + ".txt");
    }

    /** Output written from the documentation of LSF 10.1, not recorded. */
    static Transcript documented(final String name) {
        return Transcript.of(DOCUMENTED, name + ".txt");
    }

    static List<Transcript> all() {
        return Transcript.all(FOLDER);
    }
}
