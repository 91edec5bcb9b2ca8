package io.millrace.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.priority.PriorityText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Formats the explanation of a job's state for {@code mgstat --why}. */
public final class JobExplanation {

    private JobExplanation() {}

    /** At most five lines: what decides first, and what helps. */
    public static List<String> brief(final JsonNode why) {
        final List<String> lines = new ArrayList<>();
        lines.add(heading(why));
        final JsonNode obstacle = why.path("obstacle");
        if (!obstacle.isMissingNode()) {
            lines.add("  " + obstacle.path("code").asText().replace('-', ' ') + ": "
                    + obstacle.path("reason").asText());
            if (obstacle.hasNonNull("remedy")) {
                lines.add("  " + obstacle.path("remedy").asText());
            }
        } else if (isPlaced(why)) {
            placed(why, lines);
        } else {
            lines.add("  " + why.path("summary").asText());
        }
        if (!why.path("stalledServices").isEmpty()) {
            lines.add("  " + why.path("stalledServices").get(0).asText());
        }
        start(why, lines);
        return lines.stream().map(TerminalText::printable).toList();
    }

    private static boolean isPlaced(final JsonNode why) {
        return why.path("stage").asText().equals("Submitted")
                && !why.path("attempts").isEmpty();
    }

    /** Where it is, why there, and with which right. */
    private static void placed(final JsonNode why, final List<String> lines) {
        final JsonNode attempt = why.path("attempts").get(why.path("attempts").size() - 1);
        lines.add("  on " + attempt.path("cluster").asText() + " since " + second(attempt.path("startedAt")) + ": "
                + attempt.path("reason").asText());
        final JsonNode entitlement = why.path("entitlement");
        if (!entitlement.isMissingNode()) {
            lines.add("  " + entitlement.path("level").asText() + ": "
                    + entitlement.path("reason").asText());
        }
    }

    private static String heading(final JsonNode why) {
        final String job = why.path(why.has("number") ? "number" : "job").asText();
        return job + (why.has("name") ? " " + why.path("name").asText() : "") + "  " + JobTable.state(why);
    }

    private static void start(final JsonNode why, final List<String> lines) {
        if (why.hasNonNull("predictedStart")) {
            lines.add("  predicted start " + second(why.path("predictedStart")));
        }
    }

    /** Every decision, command and run. */
    public static List<String> full(final JsonNode why) {
        final List<String> lines = new ArrayList<>();
        lines.add(heading(why));
        lines.add("  " + why.path("summary").asText());
        why.path("stalledServices").forEach(stall -> lines.add("  " + stall.asText()));
        start(why, lines);
        why.path("attempts")
                .forEach(attempt ->
                        lines.add("  attempt " + attempt.path("number").asText() + " "
                                + second(attempt.path("startedAt")) + " on "
                                + attempt.path("cluster").asText() + ": "
                                + attempt.path("reason").asText()
                                + (attempt.hasNonNull("cause")
                                        ? "; " + attempt.path("cause").asText() + " "
                                                + second(attempt.path("endedAt")) + ": "
                                                + attempt.path("endReason").asText()
                                        : "")));
        if (why.hasNonNull("entitlement")) {
            lines.add("  entitlement " + why.path("entitlement").path("level").asText() + ", priority "
                    + PriorityText.sum(why.path("entitlement")) + ": "
                    + why.path("entitlement").path("reason").asText());
        }
        classes(why.path("classes"), lines);
        why.path("plans").forEach(plan -> plan(plan, lines));
        why.path("transfers")
                .forEach(transfer ->
                        lines.add("  transfer " + transfer.path("from").asText() + " to "
                                + transfer.path("to").asText() + ": "
                                + transfer.path("state").asText()));
        why.path("commands").forEach(command -> command(command, lines));
        why.path("runs")
                .forEach(run -> lines.add("  run " + run.path("run").asText() + " of "
                        + run.path("job").asText() + ": "
                        + (run.hasNonNull("startedAt") ? "started " + second(run.path("startedAt")) : "never started")
                        + ", ended "
                        + second(run.path("endedAt")) + ": "
                        + run.path("outcome").path("detail").asText() + " ("
                        + run.path("source").asText() + ")"));
        return lines.stream().map(TerminalText::printable).toList();
    }

    /** A global job and its attempts have separate classes. Equal ones are shown once. */
    private static void classes(final JsonNode all, final List<String> lines) {
        final Set<String> distinct = new LinkedHashSet<>();
        all.forEach(classes -> distinct.add("  classes " + joined(classes.path("classes"), ", ", "none") + ": "
                + joined(classes.path("evidence"), "; ", "-")));
        lines.addAll(distinct);
    }

    private static void plan(final JsonNode plan, final List<String> lines) {
        lines.add("  " + plan.path("service").asText() + " plan"
                + (plan.path("position").asInt() > 0
                        ? ", position " + plan.path("position").asText()
                        : "") + ": "
                + plan.path("reason").asText());
        plan.path("vetoes")
                .forEach(veto -> lines.add("    " + veto.path("code").asText() + ": "
                        + veto.path("reason").asText()));
    }

    private static void command(final JsonNode command, final List<String> lines) {
        lines.add("  " + second(command.hasNonNull("issuedAt") ? command.path("issuedAt") : command.path("answeredAt"))
                + " "
                + command.path("service").asText() + " "
                + command.path("action").asText() + " on "
                + command.path("cluster").asText() + ", "
                + command.path("result").asText()
                + (command.hasNonNull("reason")
                        ? "; reason: " + command.path("reason").asText()
                        : ""));
        if (command.hasNonNull("resultReason")
                && !command.path("resultReason").asText().isEmpty()) {
            lines.add("    result: " + command.path("resultReason").asText());
        }
    }

    private static String second(final JsonNode time) {
        return LocalTimes.of(time.asText());
    }

    private static String joined(final JsonNode words, final String between, final String none) {
        final List<String> all = new ArrayList<>();
        words.forEach(word -> all.add(word.asText()));
        return all.isEmpty() ? none : String.join(between, all);
    }
}
