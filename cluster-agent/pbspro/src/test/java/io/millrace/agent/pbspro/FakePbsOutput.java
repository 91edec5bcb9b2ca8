package io.millrace.agent.pbspro;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Prints like {@code qstat -f -F json} of OpenPBS 23.06.06, with attributes in the same order. */
final class FakePbsOutput {

    private static final DateTimeFormatter CTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ROOT);

    private final ZoneId zone;

    FakePbsOutput(final ZoneId zone) {
        this.zone = zone;
    }

    String time(final Instant time) {
        return CTIME.format(time.atZone(zone));
    }

    static String document(final Instant now, final String section, final Map<String, ?> objects) {
        final StringBuilder text = new StringBuilder("{\n\t\"timestamp\":\t" + now.getEpochSecond()
                + ",\n\t\"pbs_version\":\t\"23.06.06\",\n\t\"pbs_server\":\t\"vm\"");
        if (!objects.isEmpty()) {
            text.append(",\n\t\"").append(section).append("\":\t");
            object(text, objects, 1);
        }
        return text.append("\n}\n").toString();
    }

    /** As {@code qstat -f} without JSON. */
    static String full(final Map<String, ?> jobs) {
        final StringBuilder text = new StringBuilder();
        jobs.forEach((id, attributes) -> {
            text.append("Job Id: ").append(id).append('\n');
            ((Map<?, ?>) attributes).forEach((name, value) -> {
                if (name.equals("Variable_List")) {
                    final List<String> variables = new ArrayList<>();
                    ((Map<?, ?>) value).forEach((key, one) -> variables.add(key + "=" + one));
                    line(text, "Variable_List", String.join(",", variables));
                } else if (value instanceof Map<?, ?> members) {
                    members.forEach((key, one) -> line(text, name + "." + key, one));
                } else {
                    line(text, String.valueOf(name), value);
                }
            });
            text.append('\n');
        });
        return text.toString();
    }

    private static void line(final StringBuilder text, final String name, final Object value) {
        text.append("    ").append(name).append(" = ").append(value).append('\n');
    }

    private static void object(final StringBuilder text, final Map<String, ?> members, final int depth) {
        text.append("{\n");
        final List<String> lines = new ArrayList<>();
        members.forEach((name, value) -> {
            // The real server prints an attribute several times if it has several values.
            for (final Object one : value instanceof List<?> many && name.equals("ncpus") ? many : List.of(value)) {
                final StringBuilder line = new StringBuilder("\t".repeat(depth + 1))
                        .append('"')
                        .append(name)
                        .append("\":\t");
                value(line, one, depth + 1);
                lines.add(line.toString());
            }
        });
        text.append(String.join(",\n", lines))
                .append('\n')
                .append("\t".repeat(depth))
                .append('}');
    }

    private static void value(final StringBuilder text, final Object value, final int depth) {
        switch (value) {
            case Map<?, ?> map -> {
                final Map<String, Object> members = new LinkedHashMap<>();
                map.forEach((name, member) -> members.put(String.valueOf(name), Objects.requireNonNull(member)));
                object(text, members, depth);
            }
            case List<?> list ->
                text.append(list.stream().map(one -> "\"" + one + "\"").toList());
            case Number number -> text.append(number);
            default -> text.append('"').append(escaped(value.toString())).append('"');
        }
    }

    private static String escaped(final String text) {
        final StringBuilder escaped = new StringBuilder();
        for (final char c : text.toCharArray()) {
            switch (c) {
                case '"' -> escaped.append("\\\"");
                case '\\' -> escaped.append("\\\\");
                case '\n' -> escaped.append("\\n");
                case '\t' -> escaped.append("\\t");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** Numbers have no quotes, and neither have variables that look like numbers. */
    static Object figure(final String value) {
        return value.matches("0|-?[1-9]\\d{0,8}") ? (Object) Long.valueOf(value) : value;
    }

    Map<String, Object> job(final FakePbsJob job) {
        final Map<String, Object> text = new LinkedHashMap<>();
        text.put("Job_Name", job.name);
        text.put("Job_Owner", job.owner + "@vm");
        if (job.started != null && !job.isArray()) {
            text.put("resources_used", used(job));
        }
        text.put("job_state", job.letter);
        text.put("queue", job.queue);
        text.put("server", "vm");
        put(text, "Account_Name", job.account);
        if (!isSubjob(job)) {
            text.put("Checkpoint", job.checkpoint);
        }
        text.put("ctime", time(job.created));
        text.put("Error_Path", "vm:" + job.directory + "/" + job.name + ".e" + job.number);
        if (!job.placed.isEmpty()) {
            text.put("exec_host", String.join("+", hosts(job)));
            text.put("exec_vnode", String.join("+", vnodes(job)));
        }
        if (!isSubjob(job)) {
            text.put("Hold_Types", job.holds.isEmpty() ? "n" : job.holds);
        }
        text.put("Join_Path", "oe");
        text.put("Keep_Files", "n");
        text.put("Mail_Points", "a");
        text.put("mtime", time(job.finished == null ? job.created : job.finished));
        text.put("Output_Path", "vm:/dev/null");
        text.put("Priority", 0L);
        text.put("qtime", time(job.created));
        text.put("Rerunable", job.rerunable ? "True" : "False");
        if (job.interactive) {
            text.put("interactive", "True");
        }
        final Map<String, Object> resources = new LinkedHashMap<>();
        new java.util.TreeMap<>(job.resources).forEach((name, value) -> resources.put(name, figure(value)));
        text.put("Resource_List", resources);
        if (job.started != null) {
            text.put("stime", time(job.started));
        }
        if (job.obit != null) {
            text.put("obittime", time(job.obit));
        }
        text.put("substate", (long) job.substate);
        final Map<String, Object> variables = new LinkedHashMap<>();
        job.variables.forEach((name, value) -> variables.put(name, figure(value)));
        text.put("Variable_List", variables);
        put(text, "depend", job.depend);
        put(text, "comment", job.comment);
        if (job.holds.isEmpty()) {
            text.put("etime", time(job.created));
        }
        if (job.runs > 0) {
            text.put("run_count", (long) job.runs);
        }
        if (job.exit != null) {
            text.put("Exit_status", (long) job.exit);
        }
        text.put("Submit_arguments", job.submitArguments);
        if (job.finished != null && !isSubjob(job)) {
            text.put("history_timestamp", job.finished.getEpochSecond());
        }
        array(job, text);
        text.put("project", job.project == null ? "_pbs_project_default" : job.project);
        text.put("Submit_Host", "vm");
        return text;
    }

    private static void array(final FakePbsJob job, final Map<String, Object> text) {
        if (job.waiting != null) {
            text.put("array", "True");
            text.put("array_state_count", "Queued:" + job.waiting.size() + " Running:0 Exiting:0 Expired:0");
            text.put("array_indices_submitted", Objects.requireNonNull(job.indicesSubmitted));
            text.put("array_indices_remaining", job.waiting.isEmpty() ? "-" : ranges(job.waiting));
        } else if (job.array != null) {
            text.put("array_id", job.array.id());
            text.put("array_index", Long.valueOf(job.brackets.replaceAll("[\\[\\]]", "")));
        }
    }

    static String ranges(final java.util.NavigableSet<Integer> indices) {
        final List<String> ranges = new ArrayList<>();
        int first = indices.first();
        int last = first;
        for (final int index : indices.tailSet(first, false)) {
            if (index != last + 1) {
                ranges.add(first == last ? "" + first : first + "-" + last);
                first = index;
            }
            last = index;
        }
        ranges.add(first == last ? "" + first : first + "-" + last);
        return String.join(",", ranges);
    }

    private static boolean isSubjob(final FakePbsJob job) {
        return job.array != null;
    }

    private static Map<String, Object> used(final FakePbsJob job) {
        final long ran = Math.max(
                0,
                java.time.Duration.between(
                                Objects.requireNonNull(job.started),
                                job.finished == null ? Instant.now() : job.finished)
                        .toSeconds());
        final Map<String, Object> used = new LinkedHashMap<>();
        used.put("cpupercent", 0L);
        used.put("cput", "00:00:00");
        used.put("mem", "4632kb");
        used.put("ncpus", (long) job.ncpus());
        used.put("vmem", "7684kb");
        used.put("walltime", "%02d:%02d:%02d".formatted(ran / 3600, ran / 60 % 60, ran % 60));
        return used;
    }

    private static List<String> hosts(final FakePbsJob job) {
        return job.placed.entrySet().stream()
                .map(on -> on.getKey() + "/0" + (on.getValue() > 1 ? "*" + on.getValue() : ""))
                .toList();
    }

    private static List<String> vnodes(final FakePbsJob job) {
        return job.placed.entrySet().stream()
                .map(on -> "(" + on.getKey() + ":ncpus=" + on.getValue() + ")")
                .toList();
    }

    private static void put(
            final Map<String, Object> text, final String name, final @org.jspecify.annotations.Nullable String value) {
        if (value != null) {
            text.put(name, value);
        }
    }
}
