package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.TerminalText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Invites, drains, fences and undrains clusters. */
@Command(
        name = "mgcluster",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        description = "Invites, drains, fences and undrains clusters; operators only. findavl shows the state of each"
                + " cluster.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the change is in force",
            "1:the change was refused",
            "2:invalid options or arguments",
            "3:not authorised",
            "5:the service is not reachable, or the change is not in force yet"
        })
final class Mgcluster implements Callable<Integer>, CommandGroup {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_MS = 200;

    @Spec
    CommandSpec spec;

    @Override
    public List<Callable<Integer>> subcommands() {
        return List.of(new Invite(), new Drain(), new Fence(), new Undrain());
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "missing subcommand; use invite, drain, fence or undrain");
    }

    /** An invitation for a new cluster. */
    @Command(
            name = "invite",
            mixinStandardHelpOptions = true,
            description = "Prints a token with which the agent of a new cluster joins once, within 24 hours."
                    + " On the host of the cluster: millrace-agent join URL --cluster CLUSTER --token-file FILE.")
    static final class Invite implements Callable<Integer> {

        @Parameters(index = "0", paramLabel = "CLUSTER", description = "name of the cluster, which never changes")
        String cluster;

        @Option(
                names = "--replace",
                description =
                        "invites a cluster that has joined before; its new key and account replace the earlier ones")
        boolean replace;

        @Override
        public Integer call() throws CommandException {
            final JsonNode invitation = new ApiClient(Settings.read(System.getenv()))
                    .post(
                            "/clusters/" + UrlComponent.encode(cluster) + "/invitation",
                            Json.object().put("replace", replace),
                            Map.of());
            Printer.err(TerminalText.printable(cluster + ": invited until "
                    + invitation.path("expiresAt").asText() + "; who has this token can join as this cluster, once"));
            Printer.out(TerminalText.printable(invitation.path("token").asText()));
            return ExitCode.OK;
        }
    }

    /** What the changes of a cluster's state have in common. */
    abstract static class Change implements Callable<Integer> {

        @Parameters(index = "0", paramLabel = "CLUSTER", description = "name of the cluster")
        String cluster;

        @Option(
                names = {"-r", "--reason"},
                paramLabel = "TEXT",
                required = true,
                description = "reason, kept for audit and shown to users")
        String reason;

        /** The status to request. */
        abstract String wanted();

        @Override
        public Integer call() throws CommandException {
            Printer.out(change(new ApiClient(Settings.read(System.getenv()))));
            return ExitCode.OK;
        }

        String change(final ApiClient api) throws CommandException {
            final String path = "/clusters/" + UrlComponent.encode(cluster) + "/availability";
            final JsonNode before = api.get(path);
            final ObjectNode body = Json.object().put("status", wanted()).put("reason", reason);
            api.put(path, body, before.path("version").asLong());
            if (isReached(before)) {
                return text(before) + "; nothing changed";
            }
            final long deadline = System.nanoTime() + TIMEOUT.toNanos();
            do {
                final JsonNode now = api.get(path);
                if (now.path("version").asLong() > before.path("version").asLong()) {
                    return text(now);
                }
                pause();
            } while (System.nanoTime() < deadline);
            throw new CommandException(
                    ExitCode.UNREACHABLE,
                    "the change of cluster '" + cluster + "' was not decided within " + TIMEOUT.toSeconds()
                            + " s; check that migration-service is running, then see findavl");
        }

        private boolean isReached(final JsonNode now) {
            final String status = now.path("status").asText();
            return status.equals(wanted()) || wanted().equals("open") && status.equals("returning");
        }

        private String text(final JsonNode now) {
            final String status = now.path("status").asText();
            return TerminalText.printable(cluster + ": " + status
                    + (now.hasNonNull("reason") ? " (" + now.path("reason").asText() + ")" : "")
                    + (status.equals("returning")
                            ? "; jobs are placed there when its agent has cancelled what was placed elsewhere"
                            : ""));
        }

        private static void pause() throws CommandException {
            try {
                Thread.sleep(POLL_MS);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandException(ExitCode.FAILED, "interrupted before the change was confirmed; see findavl");
            }
        }
    }

    @Command(
            name = "drain",
            mixinStandardHelpOptions = true,
            description =
                    "Places no more jobs on the cluster. Waiting global jobs move to other clusters, running jobs end.")
    static final class Drain extends Change {
        @Override
        String wanted() {
            return "drained";
        }
    }

    @Command(
            name = "fence",
            mixinStandardHelpOptions = true,
            description =
                    "Declares that nothing runs on the cluster any more: its global jobs are placed on other clusters."
                            + " Make sure that its nodes are off; Millrace cannot check it.")
    static final class Fence extends Change {
        @Override
        String wanted() {
            return "fenced";
        }
    }

    @Command(
            name = "undrain",
            mixinStandardHelpOptions = true,
            description =
                    "Returns a drained or fenced cluster to service. After a fence, its agent first cancels the jobs"
                            + " that were placed elsewhere.")
    static final class Undrain extends Change {
        @Override
        String wanted() {
            return "open";
        }
    }
}
