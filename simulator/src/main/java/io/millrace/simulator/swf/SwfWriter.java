package io.millrace.simulator.swf;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;

/** Writes a log: the header as comments, then 18 numbers per job, -1 for unknown values. */
public final class SwfWriter {

    private SwfWriter() {}

    public static void write(final Map<String, String> header, final List<SwfJob> jobs, final Writer to)
            throws IOException {
        for (final Map.Entry<String, String> line : header.entrySet()) {
            to.write("; " + line.getKey() + ": " + line.getValue() + "\n");
        }
        for (final SwfJob job : jobs) {
            to.write(job.id() + " " + job.submit_s() + " -1 " + job.run_s() + " " + job.cores() + " -1 -1 "
                    + job.cores() + " " + job.requested_s() + " -1 1 " + job.user() + " -1 " + job.application()
                    + " -1 -1 -1 -1\n");
        }
    }
}
