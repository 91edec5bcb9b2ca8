package io.millrace.agent.acceptance;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

/** The agent process of an acceptance test of a Slurm cluster. */
final class SlurmAcceptanceAgent {

    private SlurmAcceptanceAgent() {}

    /** Arguments: cluster, slurm.conf, staging root, control, folder of the log. */
    public static void main(final String... args) throws IOException {
        final ClusterId cluster = ClusterId.of(args[0]);
        FolderAgent.serve(
                Path.of(args[4]),
                cluster,
                Control.valueOf(args[3]),
                Path.of(args[2]),
                Duration.ofSeconds(20),
                Slurm.of(
                        new SlurmSite(cluster, Path.of(args[1])),
                        new ProcessRunner(new Accounts()),
                        Clock.systemUTC(),
                        () -> UUID.randomUUID().toString().replace("-", "")),
                owners());
        System.exit(0);
    }

    static OwnerAccounts owners() {
        final Accounts accounts = new Accounts();
        return new OwnerAccounts(accounts, new ProcessRunner(accounts), true);
    }
}
