package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a quota, and waits until it is in force or refused. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = "Changes a quota and waits until it is in force. What is not named stays as it is.")
final class MgquotaSet implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_MS = 200;

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "*: all clusters together")
    String cluster;

    @Parameters(index = "1", paramLabel = "HOLDER", description = "a user, project:NAME or group:NAME")
    String holder;

    @Parameters(index = "2", paramLabel = "CORES", description = "guaranteed cores")
    int cores;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            required = true,
            description = "why, for whoever asks later")
    String reason;

    @Option(names = "--gpus", paramLabel = "N", description = "guaranteed GPUs")
    @Nullable
    Integer gpus;

    @Option(names = "--may-borrow", paramLabel = "N", description = "cores that may be in use beyond the quota")
    @Nullable
    Integer mayBorrow;

    @Option(
            names = "--may-lend",
            paramLabel = "N",
            description = "of the quota's cores, those that others may use while they are idle")
    @Nullable
    Integer mayLend;

    @Option(
            names = "--period",
            paramLabel = "FROM/UNTIL=CORES",
            description =
                    "other cores for a while, e.g. 2026-03-09T00:00+01:00/2026-03-16T00:00+01:00=256; several may be given,"
                            + " they take the place of all that there are")
    List<String> periods = new ArrayList<>();

    @Option(names = "--plain", description = "drop GPUs, limits and periods that are not named here")
    boolean plain;

    @Option(
            names = "--based-on",
            paramLabel = "VERSION",
            description = "refuse the change unless this version is in force (default: the one in force now)")
    @Nullable
    Long basedOn;

    @Override
    public Integer call() throws CommandException {
        return change(new ApiClient(Settings.read(System.getenv())));
    }

    int change(final ApiClient api) throws CommandException {
        final String path = "/quotas/" + UrlComponent.encode(cluster) + "/" + UrlComponent.encode(holder);
        final JsonNode before = api.get(path);
        final long version = basedOn == null ? before.path("version").asLong() : basedOn;
        final JsonNode asked = api.put(path, body(before.path("terms")), version);
        asked.path("warnings").forEach(warning -> System.err.println("mgquota: warning: " + warning.asText()));
        final long giveUp = System.nanoTime() + PATIENCE.toNanos();
        do {
            final JsonNode now = api.get(path);
            if (now.path("refusal").path("request").path("requestedAt").equals(asked.path("requestedAt"))) {
                throw lost(now.path("refusal").path("reason").asText());
            }
            if (now.path("version").asLong() > version) {
                return settled(now, asked);
            }
            pause();
        } while (System.nanoTime() < giveUp);
        throw new CommandException(
                ExitCode.UNREACHABLE,
                "asked for, and not answered within " + PATIENCE.toSeconds()
                        + " s: is quota-service up? See mgquota show");
    }

    /** A newer version is ours or somebody else's; it names when it was asked for. */
    private static int settled(final JsonNode now, final JsonNode asked) throws CommandException {
        final boolean ours = Instant.parse(now.path("changedAt").asText())
                        .equals(Instant.parse(asked.path("requestedAt").asText()))
                && now.path("author").equals(asked.path("author"));
        if (!ours) {
            throw lost(now.path("author").asText() + " was first and set "
                    + now.path("cores").asText() + " cores ("
                    + now.path("reason").asText()
                    + "): look again and decide anew");
        }
        System.out.println(now.path("cluster").asText() + "/"
                + now.path("holder").asText() + ": " + now.path("cores").asText() + " cores, version "
                + now.path("version").asText());
        return ExitCode.OK;
    }

    private static CommandException lost(final String because) {
        return new CommandException(ExitCode.FAILED, "refused: " + because);
    }

    ObjectNode body(final JsonNode terms) throws CommandException {
        final ObjectNode body = Json.object().put("cores", cores).put("reason", reason);
        put(body, "gpus", gpus, terms);
        put(body, "mayBorrow", mayBorrow, terms);
        put(body, "mayLend", mayLend, terms);
        if (!periods.isEmpty()) {
            final ArrayNode all = body.putArray("periods");
            for (final String period : periods) {
                all.add(period(period));
            }
        } else if (!plain && terms.has("periods")) {
            body.set("periods", terms.path("periods"));
        }
        return body;
    }

    private void put(final ObjectNode body, final String name, final @Nullable Integer said, final JsonNode terms) {
        if (said != null) {
            body.put(name, said);
        } else if (!plain && terms.has(name)) {
            body.set(name, terms.path(name));
        }
    }

    private static ObjectNode period(final String text) throws CommandException {
        final int slash = text.indexOf('/');
        final int equals = text.lastIndexOf('=');
        if (slash < 0 || equals < slash || !text.substring(equals + 1).matches("\\d{1,9}")) {
            throw new CommandException(ExitCode.USAGE, "--period " + text + ": expected FROM/UNTIL=CORES");
        }
        return Json.object()
                .put("from", text.substring(0, slash))
                .put("until", text.substring(slash + 1, equals))
                .put("cores", Integer.parseInt(text.substring(equals + 1)));
    }

    private static void pause() throws CommandException {
        try {
            Thread.sleep(LOOK_MS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted while waiting for the answer; see mgquota show");
        }
    }
}
