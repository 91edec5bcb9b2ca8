package io.millrace.simulator;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;

/** One line per run of a job, by job number and time, so that capacity and work can be checked; times in seconds. */
final class SegmentsCsv {

    private SegmentsCsv() {}

    static void write(final List<SimulatedJob> jobs, final Writer to) throws IOException {
        to.write("job,segment,start,end,cores,kind\n");
        for (final SimulatedJob job : jobs) {
            int number = 0;
            for (final Segment segment : job.segments()) {
                to.write(job.id() + "," + ++number + "," + segment.start_s() + "," + segment.end_s() + "," + job.cores()
                        + "," + segment.kind().name().toLowerCase(Locale.ROOT) + "\n");
            }
        }
    }
}
