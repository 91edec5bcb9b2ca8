package io.millrace.agent.lsf.query;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a job in the long format. The owner chooses name and command and can write text into them that looks like the fields
 * after them. A line that can be read in several ways is not {@code certain}.
 *
 * @param name with the index of an array task, {@code arr[3]}
 * @param extras the text between status or queue and command: {@code Interactive mode}, {@code Job Priority <50>}
 */
public record JobHeading(
        String name,
        String user,
        String project,
        String status,
        String queue,
        String extras,
        String command,
        boolean certain) {

    private static final Pattern FORM = Pattern.compile(
            "Job(?: Id)? <[^<>]+>,\\s*(?:Job Name <(?<name>.*?)>,\\s*)?User <(?<user>[^<>]+)>,\\s*"
                    + "(?:Project <(?<project>[^<>]*)>,\\s*)?(?<before>.*?)Status\\s*<(?<status>\\w+)>,\\s*"
                    + "Queue <(?<queue>[^<>]+)>(?<extras>.*?)(?:,\\s*Command <(?<command>.*)>.*)?",
            Pattern.DOTALL);
    private static final Pattern USER = Pattern.compile("(?:>,\\s*|^Job(?: Id)? <[^<>]+>,\\s*)User <");

    public static Optional<JobHeading> read(final String line) {
        final Matcher found = FORM.matcher(line);
        if (!found.matches()) {
            return Optional.empty();
        }
        return Optional.of(new JobHeading(
                text(found.group("name")),
                found.group("user"),
                text(found.group("project")),
                found.group("status"),
                found.group("queue"),
                found.group("before") + found.group("extras"),
                text(found.group("command")),
                USER.matcher(line).results().count() == 1));
    }

    private static String text(final @Nullable String found) {
        return found == null ? "" : found;
    }

    /** Reads the line with the help of a row of columns, which an owner cannot forge. */
    public static Optional<JobHeading> read(final String line, final ColumnQuery.Row row) {
        final String before = row.name().isEmpty() ? "" : "Job Name <" + row.name() + ">, ";
        final int at = line.indexOf(before + "User <" + row.user() + ">, ");
        if (at < 0) {
            return Optional.empty();
        }
        return read("Job <" + 0 + ">, " + line.substring(at + before.length()))
                .filter(heading -> heading.user().equals(row.user()))
                .map(heading -> new JobHeading(
                        row.name(),
                        row.user(),
                        heading.project(),
                        row.status(),
                        row.queue(),
                        heading.extras(),
                        heading.command(),
                        true));
    }

    public boolean interactive() {
        return extras.contains("Interactive");
    }
}
