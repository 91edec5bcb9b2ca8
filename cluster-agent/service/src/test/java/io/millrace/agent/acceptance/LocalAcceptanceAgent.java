package io.millrace.agent.acceptance;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.local.LocalCluster;
import io.millrace.agent.local.LocalSettings;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/** The agent process of an acceptance test of an embedded cluster. */
final class LocalAcceptanceAgent {

    static final ClusterId CLUSTER = ClusterId.of("site");

    private LocalAcceptanceAgent() {}

    /** Arguments: root of the scene, whether jobs run as their owners, control, folder of the log. */
    public static void main(final String... args) throws IOException {
        final Path root = Path.of(args[0]);
        final boolean asOwner = Boolean.parseBoolean(args[1]);
        final Accounts accounts = new Accounts();
        FolderAgent.serve(
                Path.of(args[3]),
                CLUSTER,
                Control.valueOf(args[2]),
                root.resolve("staging"),
                Duration.ofSeconds(1),
                cluster(root, asOwner).adapter(),
                new OwnerAccounts(accounts, new ProcessRunner(accounts), asOwner));
        System.exit(0);
    }

    static LocalCluster cluster(final Path root, final boolean asOwner) {
        return new LocalCluster(
                        new LocalSettings(
                                CLUSTER,
                                root.resolve("local"),
                                2,
                                2,
                                Control.DIRECTED,
                                asOwner,
                                Duration.ofSeconds(5),
                                Duration.ofDays(30)),
                        new Accounts(),
                        Clock.systemUTC())
                .open();
    }
}
