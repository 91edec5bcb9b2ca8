package io.millrace.lab.parts;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

/** Measures an observation of a full queue on a live Slurm: {@code ./millrace prove pass} fills the queue and runs this. */
final class ObservationBench {

    private ObservationBench() {}

    /** Arguments: path of slurm.conf, number of observations, seconds between them. */
    public static void main(final String... args) throws InterruptedException {
        final SlurmSite site = new SlurmSite(ClusterId.of("alpha"), Path.of(args[0]));
        new FullQueue(
                        site.cluster(),
                        new ProcessRunner(new Accounts()),
                        runner -> Slurm.of(
                                site,
                                runner,
                                Clock.systemUTC(),
                                () -> UUID.randomUUID().toString().replace("-", "")),
                        System.out)
                .look(Integer.parseInt(args[1]), Duration.ofSeconds(Long.parseLong(args[2])));
    }
}
