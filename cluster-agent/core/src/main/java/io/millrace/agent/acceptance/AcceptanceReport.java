package io.millrace.agent.acceptance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.agent.acceptance.CheckResult.Verdict;
import io.millrace.agent.exec.CommandResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The report of an acceptance test.
 *
 * @param facts what was tested: cluster, workload manager, queue, user, control
 */
public record AcceptanceReport(Map<String, String> facts, List<CheckResult> results) {

    /** Whether no check failed and all were run. */
    public boolean isPassed() {
        return results.stream()
                .allMatch(result -> result.verdict() == Verdict.PASSED || result.verdict() == Verdict.NOT_SUPPORTED);
    }

    public static String heading() {
        return "| check | result | seconds | detail |\n| --- | --- | --- | --- |\n";
    }

    /** One row of the table in Markdown. */
    public static String row(final CheckResult result) {
        return "| " + result.check() + " | " + result.verdict().words() + " | " + seconds(result.took()) + " | "
                + CommandResult.onOneLine(result.detail(), " ").replace("|", "\\|") + " |\n";
    }

    private static String seconds(final Duration took) {
        return String.format(Locale.ROOT, "%.1f", took.toMillis() / 1000.0);
    }

    /** For example {@code 14 of 18 checks passed, 3 not supported, 1 failed}. */
    public String summary() {
        return count(Verdict.PASSED) + " of " + results.size() + " checks passed, " + count(Verdict.NOT_SUPPORTED)
                + " not supported, " + count(Verdict.FAILED) + " failed"
                + (count(Verdict.NOT_RUN) == 0 ? "" : ", " + count(Verdict.NOT_RUN) + " not run");
    }

    private long count(final Verdict verdict) {
        return results.stream().filter(result -> result.verdict() == verdict).count();
    }

    /** The report as one JSON object. */
    public String json() {
        final Map<String, Object> object = new LinkedHashMap<>(facts);
        object.put("passed", isPassed());
        object.put(
                "checks",
                results.stream()
                        .map(result -> {
                            final Map<String, Object> check = new LinkedHashMap<>();
                            check.put("check", result.check());
                            check.put("result", result.verdict().words());
                            check.put("seconds", result.took().toMillis() / 1000.0);
                            check.put("detail", result.detail());
                            return check;
                        })
                        .toList());
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(object);
        } catch (final JsonProcessingException e) {
            throw new IllegalStateException("the report cannot be written as JSON", e);
        }
    }
}
