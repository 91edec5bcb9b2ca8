package io.millrace.agent.slurm;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.wlm.FullQueue;
import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

/** What a look at a full queue of a live Slurm costs: {@code deploy/lab/bench-pass} fills one and runs this. */
final class ObservationBench {

    private ObservationBench() {}

    /** Arguments: slurm.conf, number of looks, seconds between them. */
    public static void main(final String... args) throws InterruptedException {
        final SlurmSite site = new SlurmSite(ClusterId.of("alpha"), Path.of(args[0]));
        new FullQueue(
                        site.cluster(),
                        new ProcessRunner(new Accounts()),
                        runner -> new Slurm(
                                site,
                                runner,
                                Clock.systemUTC(),
                                () -> UUID.randomUUID().toString().replace("-", "")),
                        System.out)
                .look(Integer.parseInt(args[1]), Duration.ofSeconds(Long.parseLong(args[2])));
    }
}
