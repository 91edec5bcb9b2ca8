package io.millrace.cli.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a quota, and waits until the change is in force or refused. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = "Changes a quota and waits until the change is in force. Keeps all terms that are not given.")
final class MgquotaSet implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "CLUSTER", description = "cluster; *: all clusters together")
    String cluster;

    @Parameters(index = "1", paramLabel = "HOLDER", description = "a user, project:NAME or group:NAME")
    String holder;

    @Parameters(index = "2", paramLabel = "CORES", description = "guaranteed cores")
    int cores;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            required = true,
            description = "reason, kept for audit")
    String reason;

    @Option(names = "--gpus", paramLabel = "N", description = "guaranteed GPUs")
    @Nullable
    Integer gpus;

    @Option(
            names = "--borrowing-limit",
            paramLabel = "N",
            description = "maximum number of borrowed cores beyond the quota")
    @Nullable
    Integer borrowingLimit;

    @Option(
            names = "--lending-limit",
            paramLabel = "N",
            description = "maximum number of idle cores of the quota that others may borrow")
    @Nullable
    Integer lendingLimit;

    @Option(
            names = "--period",
            paramLabel = "FROM/UNTIL=CORES",
            description =
                    "different number of cores for a period, e.g. 2026-03-09T00:00+01:00/2026-03-16T00:00+01:00=256;"
                            + " may be repeated; replaces all existing periods")
    List<String> periods = new ArrayList<>();

    @Option(names = "--plain", description = "remove GPUs, limits and periods that are not given")
    boolean plain;

    @Option(
            names = "--based-on",
            paramLabel = "VERSION",
            description = "refuse the change unless this version is in force (default: the current version)")
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
        final JsonNode request = api.put(path, body(before.path("terms")), version);
        request.path("warnings").forEach(warning -> Printer.err("mgquota: warning: " + warning.asText()));
        return confirmed(
                QuotaAnswer.await(api, path, request, now -> now.path("version").asLong() > version), request);
    }

    /** Checks whether the new version is ours: it has our author and request time. */
    private static int confirmed(final JsonNode now, final JsonNode request) throws CommandException {
        if (!QuotaAnswer.isOf(now, request)) {
            throw new CommandException(
                    ExitCode.FAILED,
                    now.path("author").asText() + " changed it first (now "
                            + now.path("cores").asText() + " cores, version "
                            + now.path("version").asText() + "; reason: "
                            + now.path("reason").asText() + "). Check it and retry.");
        }
        Printer.out(now.path("cluster").asText() + "/"
                + now.path("holder").asText() + ": " + now.path("cores").asText() + " cores, version "
                + now.path("version").asText());
        return ExitCode.OK;
    }

    ObjectNode body(final JsonNode terms) throws CommandException {
        final ObjectNode body = Json.object().put("cores", cores).put("reason", reason);
        put(body, "gpus", gpus, terms);
        put(body, "borrowingLimit", borrowingLimit, terms);
        put(body, "lendingLimit", lendingLimit, terms);
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

    private void put(final ObjectNode body, final String name, final @Nullable Integer given, final JsonNode terms) {
        if (given != null) {
            body.put(name, given);
        } else if (!plain && terms.has(name)) {
            body.set(name, terms.path(name));
        }
    }

    private static ObjectNode period(final String text) throws CommandException {
        final int slash = text.indexOf('/');
        final int equals = text.lastIndexOf('=');
        if (slash < 0 || equals < slash || !text.substring(equals + 1).matches("\\d{1,9}")) {
            throw new CommandException(
                    ExitCode.USAGE, "--period: '" + text + "' is not a valid period; use FROM/UNTIL=CORES");
        }
        return Json.object()
                .put("from", text.substring(0, slash))
                .put("until", text.substring(slash + 1, equals))
                .put("cores", Integer.parseInt(text.substring(equals + 1)));
    }
}
