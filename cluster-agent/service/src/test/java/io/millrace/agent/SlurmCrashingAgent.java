package io.millrace.agent;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.kafka.KafkaAgentLog;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An agent of a Slurm cluster in a process of its own that writes every order to a journal before it gives it, and dies without a
 * word (exit 137, like a SIGKILL) at the order and the moment that the file {@code trap} names: {@code scontrol release after}.
 */
public final class SlurmCrashingAgent {

    private SlurmCrashingAgent() {}

    /** Its arguments: bootstrap servers, cluster, slurm.conf, home. Ends when its standard input does. */
    public static void main(final String... args) throws IOException {
        final ClusterId cluster = ClusterId.of(args[1]);
        final Path home = Path.of(args[3]);
        final Accounts accounts = new Accounts();
        final Runner runner = new Dying(new ProcessRunner(accounts), home);
        final WorkloadManager slurm = Slurm.of(
                new SlurmSite(cluster, Path.of(args[2])),
                runner,
                Clock.systemUTC(),
                () -> UUID.randomUUID().toString().replace("-", ""));
        final Agent agent = AgentFactory.agent(
                TestAgent.settings(cluster, home),
                slurm,
                false,
                new OwnerAccounts(accounts, new ProcessRunner(accounts), true),
                SiteMapping.none(cluster),
                (action, now) -> Optional.empty(),
                TransferSettings.of(home.resolve("staging").toString(), null),
                new KafkaAgentLog(args[0], 1, cluster, Clock.systemUTC(), Optional.empty()),
                Clock.systemUTC(),
                new SimpleMeterRegistry(),
                () -> Runtime.getRuntime().halt(3));
        agent.start();
        while (System.in.read() >= 0) {
            // Nothing is ever sent; only the end matters.
        }
        Runtime.getRuntime().halt(0);
    }

    private record Dying(Runner real, Path home) implements Runner {

        private static final List<String> ORDERS = List.of("sbatch", "scancel", "scontrol", "sacctmgr");

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            final String line = String.join(" ", command.argv());
            if (!ORDERS.contains(command.argv().get(0)) || line.contains(" show ")) {
                return real.run(command);
            }
            final String moment = trapFor(line);
            if (moment.equals("before")) {
                die();
            }
            note(line);
            if (moment.equals("during")) {
                final Thread orphan = new Thread(() -> real.run(command));
                orphan.start();
                sleep(2); // about as long as it takes to start a program, less than it takes to hear from slurmctld
                die();
            }
            final Answer<T> answer = real.run(command);
            if (moment.equals("after")) {
                die();
            }
            return answer;
        }

        @Override
        public Runner as(final UserName owner) {
            return new Dying(real.as(owner), home);
        }

        /** The moment at which to die at this order, empty if at none. */
        private String trapFor(final String line) {
            try {
                final Path trap = home.resolve("trap");
                if (!Files.exists(trap)) {
                    return "";
                }
                final String text = Files.readString(trap);
                final int last = text.lastIndexOf(' ');
                if (!line.startsWith(text.substring(0, last))) {
                    return "";
                }
                Files.delete(trap);
                return text.substring(last + 1);
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void note(final String line) {
            try {
                Files.writeString(
                        home.resolve("journal"),
                        line.lines().findFirst().orElse("") + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void die() {
            Runtime.getRuntime().halt(137);
        }

        private static void sleep(final long millis) {
            try {
                Thread.sleep(millis);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
