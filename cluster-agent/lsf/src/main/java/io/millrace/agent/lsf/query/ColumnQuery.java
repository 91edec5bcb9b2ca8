package io.millrace.agent.lsf.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code bjobs} in columns with the job name last, so that a job name cannot imitate another field. Used only for jobs whose long format is
 * ambiguous.
 *
 * @param ids local ids
 */
public record ColumnQuery(LsfSite site, LsfFeatures means, List<String> ids)
        implements LsfQuery<Map<String, ColumnQuery.Row>> {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> FIELDS = List.of("jobid", "stat", "user", "queue", "job_name");
    private static final Pattern TABLE =
            Pattern.compile("(\\d+) +(\\S+) +(\\S+) +(\\S+) +\\S+ +\\S+ (.*) \\p{L}{3} +\\d+ +\\d+:\\d{2} *");
    private static final Pattern INDEX = Pattern.compile(".*(\\[\\d+])");

    /** @param name job name, followed by the index of an array task */
    public record Row(String status, String user, String queue, String name) {}

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of(site.program("bjobs"), "-u", "all", "-a"));
        switch (means.columns()) {
            case JSON -> argv.addAll(List.of("-o", String.join(" ", FIELDS), "-json"));
            case FIELDS -> argv.addAll(List.of("-o", String.join(" ", FIELDS) + " delimiter=\"|\""));
            case TABLE -> argv.add("-w");
        }
        argv.addAll(ids);
        return argv;
    }

    @Override
    public Answer<Map<String, Row>> read(final CommandResult result) {
        if (JobQuery.isEmpty(result)) {
            return Answer.ok(Map.of());
        }
        // A job that has just been purged is not found; the others are printed.
        if (!result.succeeded() && !result.errorText().contains("is not found")) {
            return LsfErrors.of("bjobs -o", result, Answer.Kind.UNREADABLE);
        }
        return switch (means.columns()) {
            case JSON -> json(result);
            case FIELDS -> Answer.ok(fields(result));
            case TABLE -> Answer.ok(table(result));
        };
    }

    private static Answer<Map<String, Row>> json(final CommandResult result) {
        try {
            final Map<String, Row> rows = new LinkedHashMap<>();
            for (final JsonNode record : JSON.readTree(result.output()).path("RECORDS")) {
                put(
                        rows,
                        record.path("JOBID").asText(),
                        new Row(
                                record.path("STAT").asText(),
                                record.path("USER").asText(),
                                record.path("QUEUE").asText(),
                                record.path("JOB_NAME").asText()));
            }
            return Answer.ok(rows);
        } catch (final JsonProcessingException e) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE, "bjobs -json printed invalid JSON: " + e.getOriginalMessage());
        } catch (final IOException e) {
            return Answer.trouble(Answer.Kind.UNREADABLE, "cannot read the output of bjobs -json: " + e.getMessage());
        }
    }

    private static Map<String, Row> fields(final CommandResult result) {
        final Map<String, Row> rows = new LinkedHashMap<>();
        result.outputText().lines().skip(1).forEach(line -> {
            final String[] cell = line.split("\\|", FIELDS.size());
            if (cell.length == FIELDS.size()) {
                put(rows, cell[0], new Row(cell[1], cell[2], cell[3], cell[4]));
            }
        });
        return rows;
    }

    private static Map<String, Row> table(final CommandResult result) {
        final Map<String, Row> rows = new LinkedHashMap<>();
        result.outputText().lines().skip(1).forEach(line -> {
            final Matcher cell = TABLE.matcher(line);
            if (cell.matches()) {
                put(
                        rows,
                        cell.group(1),
                        new Row(
                                cell.group(3),
                                cell.group(2),
                                cell.group(4),
                                cell.group(5).strip()));
            }
        });
        return rows;
    }

    /**
     * Adds a row. The id column has no array index: for an array task the index follows the name. Other job names can end in the same way,
     * so the row is stored under both ids.
     */
    private static void put(final Map<String, Row> rows, final String id, final Row row) {
        final Matcher index = INDEX.matcher(row.name());
        rows.put(id, row);
        if (index.matches() && !id.endsWith("]")) {
            rows.put(id + index.group(1), row);
        }
    }
}
