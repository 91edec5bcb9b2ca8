package io.millrace.simulator;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** One line per job, by job number; times in seconds. */
final class JobsCsv {

    private JobsCsv() {}

    static void write(final List<SimulatedJob> jobs, final Writer to) throws IOException {
        to.write("job,submit,start,end,cores,requested,runtime,wait,backfilled,preemptions,checkpoints,lost\n");
        for (final SimulatedJob job : jobs) {
            to.write(job.id() + "," + job.submit_s() + "," + job.start_s() + "," + job.end_s() + "," + job.cores() + ","
                    + job.requested_s() + "," + job.run_s() + "," + job.wait_s() + "," + (job.backfilled() ? 1 : 0)
                    + "," + job.preemptions() + "," + job.checkpoints() + "," + job.lostCoreSeconds() + "\n");
        }
    }
}
