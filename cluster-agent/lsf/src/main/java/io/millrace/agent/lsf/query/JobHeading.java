package io.millrace.agent.lsf.query;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first line of a job in the long format. The owner chooses name, project and command and can write text into them that looks like the
 * fields after them. A line that can be read in several ways is not {@code certain}.
 *
 * @param name with the index of an array task, {@code arr[3]}; empty if the job has none
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

    private static final Pattern ID = Pattern.compile("Job(?: Id)? <[^<>]+>,\\s*");
    private static final Pattern NAME = Pattern.compile("Job\\s*Name\\s*<");
    private static final Pattern AFTER_NAME = Pattern.compile(">,\\s*(?=User\\s*<)");
    private static final Pattern USER = Pattern.compile("User\\s*<([^<>]+)>,\\s*");
    private static final Pattern PROJECT = Pattern.compile("Project\\s*<([^<>]*)>,\\s*");
    private static final Pattern STATUS = Pattern.compile("Status\\s*<(\\w+)\\s*>,\\s*");
    private static final Pattern QUEUE = Pattern.compile("Queue\\s*<([^<>]+)>");
    private static final Pattern COMMAND = Pattern.compile(",\\s*Command\\s*<");

    /** The fields that a forged text would contain. */
    private static final Pattern FIELD = Pattern.compile("(?:>,\\s*User|,\\s*Status|,\\s*Queue)\\s*<");

    private static final int FIELDS = 3;

    /** Reads the line alone. The name ends at the first place where it can end. */
    public static Optional<JobHeading> read(final String line) {
        final Matcher id = ID.matcher(line);
        if (!id.lookingAt()) {
            return Optional.empty();
        }
        final String fields = line.substring(id.end());
        final Matcher name = NAME.matcher(fields);
        if (!name.lookingAt()) {
            return fields("", fields, isCertain(line));
        }
        final Matcher end = AFTER_NAME.matcher(fields);
        return end.find(name.end())
                ? fields(fields.substring(name.end(), end.start()), fields.substring(end.end()), isCertain(line))
                : Optional.empty();
    }

    private static boolean isCertain(final String line) {
        return FIELD.matcher(line).results().count() == FIELDS;
    }

    private static Optional<JobHeading> fields(final String name, final String fields, final boolean certain) {
        final Matcher user = USER.matcher(fields);
        final Matcher status = STATUS.matcher(fields);
        final Matcher queue = QUEUE.matcher(fields);
        if (!user.lookingAt() || !status.find(user.end()) || !queue.find(status.end())) {
            return Optional.empty();
        }
        final String project = fields.substring(user.end(), status.start());
        final Matcher named = PROJECT.matcher(project);
        final boolean hasProject = named.lookingAt();
        final Matcher command = COMMAND.matcher(fields);
        final boolean hasCommand = command.find(queue.end());
        final int end = fields.lastIndexOf('>');
        return Optional.of(new JobHeading(
                name,
                user.group(1),
                hasProject ? named.group(1) : "",
                status.group(1),
                queue.group(1),
                (hasProject ? project.substring(named.end()) : project)
                        + fields.substring(status.end(), queue.start())
                        + fields.substring(queue.end(), hasCommand ? command.start() : fields.length()),
                hasCommand && end > command.end() ? fields.substring(command.end(), end) : "",
                certain));
    }

    /**
     * Reads the line with the help of a row of columns, which an owner cannot forge. Its name is the command for a job without a name. A
     * line break of {@code -l} can lose a blank.
     */
    public static Optional<JobHeading> read(final String line, final ColumnQuery.Row row) {
        final Matcher id = ID.matcher(line);
        if (!id.lookingAt()) {
            return Optional.empty();
        }
        final int named = after(line, id.end(), "Job Name <" + row.name() + ">, ");
        final Optional<JobHeading> heading = named >= 0
                ? fields(row.name(), line.substring(named), true)
                : fields("", line.substring(id.end()), true);
        return heading.filter(found -> found.user().equals(row.user()))
                .map(found -> new JobHeading(
                        found.name(),
                        row.user(),
                        found.project(),
                        row.status(),
                        row.queue(),
                        found.extras(),
                        found.command(),
                        true));
    }

    /** Where the text goes on after {@code expected}, compared without blanks; -1 if it does not start with it. */
    private static int after(final String text, final int from, final String expected) {
        int at = from;
        for (int i = 0; i < expected.length(); i++) {
            final char next = expected.charAt(i);
            if (!Character.isWhitespace(next)) {
                while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                    at++;
                }
                if (at >= text.length() || text.charAt(at) != next) {
                    return -1;
                }
                at++;
            }
        }
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    public boolean interactive() {
        return extras.contains("Interactive");
    }
}
