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
import io.millrace.cli.text.TerminalText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets the budgets and the limit of a holder, and waits until the change is in force. */
@Command(
        name = "set",
        mixinStandardHelpOptions = true,
        description = "Changes the budgets and the limit of processor time of a holder and waits until the change is in"
                + " force. Keeps what is not given; an amount of - removes a budget or the limit.")
final class MgbudgetSet implements Callable<Integer> {

    private static final String REMOVED = "-";

    @Parameters(
            index = "0",
            paramLabel = "HOLDER",
            description = "a user, project:NAME, group:NAME, or * for the default of users")
    String holder;

    @Option(
            names = "--week",
            paramLabel = "HOURS",
            description = "core-hours for each week; with GPU-hours: CORE-HOURS/GPU-HOURS")
    @Nullable
    String week;

    @Option(names = "--month", paramLabel = "HOURS", description = "the same for each month")
    @Nullable
    String month;

    @Option(names = "--year", paramLabel = "HOURS", description = "the same for each year")
    @Nullable
    String year;

    @Option(
            names = "--limit",
            paramLabel = "CORE-HOURS",
            description = "core-hours that the running jobs of the user, or of each member of the group, may request")
    @Nullable
    String limit;

    @Option(names = "--refill", paramLabel = "WHEN", description = "of the given budgets: at-start or daily")
    @Nullable
    String refill;

    @Option(
            names = "--carry-over",
            paramLabel = "PERCENT",
            description = "of the given budgets: what passes to the next period")
    @Nullable
    Integer carryOver;

    @Option(names = "--exhausted", paramLabel = "EFFECT", description = "of the given budgets: hold, borrow or last")
    @Nullable
    String exhausted;

    @Option(
            names = {"-r", "--reason"},
            paramLabel = "TEXT",
            description = "reason, kept for audit; required without --preview")
    @Nullable
    String reason;

    @Option(names = "--preview", description = "show the waiting jobs that the change would hold, and change nothing")
    boolean preview;

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
        final String path = "/budgets/" + UrlComponent.encode(holder);
        final JsonNode before = api.get(path);
        final ObjectNode body = body(before);
        if (preview) {
            show(api.post(path + "/preview", body, Map.of()));
            return ExitCode.OK;
        }
        if (reason == null) {
            throw new CommandException(ExitCode.USAGE, "--reason is missing; add it, or use --preview");
        }
        final long version = basedOn == null ? before.path("version").asLong() : basedOn;
        final JsonNode request = api.put(path, body, version);
        final JsonNode now = QuotaAnswer.await(
                api, path, request, seen -> seen.path("version").asLong() > version);
        if (!QuotaAnswer.isOf(now, request)) {
            throw new CommandException(
                    ExitCode.FAILED,
                    now.path("author").asText() + " changed it first (version "
                            + now.path("version").asText() + "; reason: "
                            + now.path("reason").asText() + "). Check it and retry.");
        }
        Printer.out(holder + ": version " + now.path("version").asText());
        return ExitCode.OK;
    }

    private static void show(final JsonNode answer) {
        answer.path("held")
                .forEach(job -> Printer.out(TerminalText.printable(job.path("localJob")
                                .asText() + " of "
                        + job.path("user").asText()
                        + (job.has("project") ? " for " + job.path("project").asText() : "") + ": "
                        + job.path("coreHours").asText() + " core-hours")));
        Printer.out(answer.path("held").size() + " waiting jobs would be held");
    }

    ObjectNode body(final JsonNode before) throws CommandException {
        final Map<String, ObjectNode> all = new LinkedHashMap<>();
        if (!before.path("isDefault").asBoolean()) {
            before.path("budgets").forEach(one -> all.put(one.path("period").asText(), kept(one)));
        }
        final Map<String, String> given = new LinkedHashMap<>();
        put(given, "week", week);
        put(given, "month", month);
        put(given, "year", year);
        for (final Map.Entry<String, String> one : given.entrySet()) {
            if (one.getValue().equals(REMOVED)) {
                all.remove(one.getKey());
            } else {
                change(all.computeIfAbsent(one.getKey(), period -> Json.object().put("period", period)), one);
            }
        }
        final ObjectNode body = Json.object();
        if (reason != null) {
            body.put("reason", reason);
        }
        final ArrayNode budgets = body.putArray("budgets");
        all.values().forEach(budgets::add);
        if (limit != null && !limit.equals(REMOVED)) {
            body.put("limitCoreHours", hours("--limit", limit));
        } else if (limit == null && before.has("limitCoreHours")) {
            body.set("limitCoreHours", before.path("limitCoreHours"));
        }
        return body;
    }

    private static ObjectNode kept(final JsonNode budget) {
        final ObjectNode kept = Json.object();
        for (final String field :
                List.of("period", "coreHours", "gpuHours", "refill", "carryOver", "exhausted", "cancelRunning")) {
            if (budget.has(field)) {
                kept.set(field, budget.path(field));
            }
        }
        return kept;
    }

    private void change(final ObjectNode budget, final Map.Entry<String, String> given) throws CommandException {
        final String option = "--" + given.getKey();
        final String[] hours = given.getValue().split("/", -1);
        if (hours.length > 2) {
            throw new CommandException(
                    ExitCode.USAGE, option + ": '" + given.getValue() + "' is not valid; use CORE-HOURS/GPU-HOURS");
        }
        budget.put("coreHours", hours(option, hours[0]));
        if (hours.length == 2) {
            budget.put("gpuHours", hours(option, hours[1]));
        }
        if (refill != null) {
            budget.put("refill", refill);
        }
        if (carryOver != null) {
            budget.put("carryOver", carryOver);
        }
        if (exhausted != null) {
            budget.put("exhausted", exhausted);
        }
    }

    private static void put(final Map<String, String> given, final String period, final @Nullable String hours) {
        if (hours != null) {
            given.put(period, hours);
        }
    }

    private static double hours(final String option, final String text) throws CommandException {
        try {
            return Double.parseDouble(text);
        } catch (final NumberFormatException e) {
            throw new CommandException(ExitCode.USAGE, option + ": '" + text + "' is not a number of hours");
        }
    }
}
