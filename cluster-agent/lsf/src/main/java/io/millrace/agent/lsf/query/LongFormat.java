package io.millrace.agent.lsf.query;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parser of the long format of {@code bjobs -UF}, {@code bjobs -l}, {@code bhist -l} and {@code bacct -l}: a heading, dated events,
 * sections. {@code -l} wraps at 79 bytes, even within a word or a character, continues after 21 blanks, and drops a blank at the break.
 */
public final class LongFormat {

    private static final Pattern HEADING = Pattern.compile("Job(?: Id)? <(\\d+)(?:\\[(\\d+)])?>[,;].*", Pattern.DOTALL);
    private static final Pattern DATED = Pattern.compile("(" + LsfTime.FORM + "): +(.*)", Pattern.DOTALL);
    private static final String INDENT = " ".repeat(21);
    private static final int WRAPPED_FROM = 78;

    private LongFormat() {}

    /**
     * A job.
     *
     * @param id with the array index, {@code 105[3]}
     * @param heading the first line, unwrapped
     * @param events dated events in the order printed
     * @param lines the lines of the sections
     */
    public record Job(String id, String heading, List<Event> events, List<String> lines) {

        public Job {
            events = List.copyOf(events);
            lines = List.copyOf(lines);
        }

        /** Whether the job has events after its heading. The last job of a cut-off output may not have. */
        boolean isWhole() {
            return events.stream().anyMatch(line -> line.compact().startsWith("Submitted"));
        }

        /** The lines of a section up to the next empty line. The title is given without surrounding blanks. */
        List<String> section(final String title) {
            final int at = titleAt(title);
            if (at < 0) {
                return List.of();
            }
            final List<String> section = new ArrayList<>();
            for (final String line : lines.subList(at + 1, lines.size())) {
                if (line.isBlank()) {
                    break;
                }
                section.add(line.strip());
            }
            return section;
        }

        private int titleAt(final String title) {
            for (int at = 0; at < lines.size(); at++) {
                if (lines.get(at).strip().equals(title)) {
                    return at;
                }
            }
            return -1;
        }
    }

    /** A dated event. @param time as printed */
    public record Event(String time, String text) {

        /** The text without whitespace, which is the same whether or not a blank was lost at a line break. */
        public String compact() {
            return text.replaceAll("\\s+", "");
        }
    }

    public static List<Job> read(final byte[] output) {
        final List<Job> jobs = new ArrayList<>();
        JobBuilder open = null;
        for (final String line : lines(output)) {
            final Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                if (open != null) {
                    jobs.add(open.close());
                }
                open = new JobBuilder(id(heading), line);
            } else if (open != null) {
                open.add(line);
            }
        }
        if (open != null) {
            jobs.add(open.close());
        }
        return jobs;
    }

    private static String id(final Matcher heading) {
        return heading.group(2) == null || heading.group(2).equals("0")
                ? heading.group(1)
                : heading.group(1) + "[" + heading.group(2) + "]";
    }

    private static final class JobBuilder {
        private final String id;
        private final String heading;
        private final List<Event> dated = new ArrayList<>();
        private final List<String> others = new ArrayList<>();

        JobBuilder(final String id, final String heading) {
            this.id = id;
            this.heading = heading;
        }

        void add(final String line) {
            final Optional<Event> happened = dated(line);
            if (happened.isPresent()) {
                dated.add(happened.get());
            } else {
                others.add(line);
            }
        }

        Job close() {
            return new Job(id, heading, dated, others);
        }
    }

    private static Optional<Event> dated(final String line) {
        final Matcher found = DATED.matcher(line);
        return found.matches() ? Optional.of(new Event(found.group(1), found.group(2))) : Optional.empty();
    }

    /** Joins wrapped lines. It works on bytes, because a character can be cut in two. */
    private static List<String> lines(final byte[] output) {
        final List<String> lines = new ArrayList<>();
        final StringBuilder current = new StringBuilder();
        int last = 0;
        boolean started = false;
        for (final String line : new String(output, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            if (started && last >= WRAPPED_FROM && line.startsWith(INDENT)) {
                current.append(line, INDENT.length(), line.length());
            } else {
                if (started) {
                    lines.add(utf8(current));
                }
                current.setLength(0);
                current.append(line);
                started = true;
            }
            last = line.length();
        }
        if (started) {
            lines.add(utf8(current));
        }
        return lines;
    }

    private static String utf8(final CharSequence bytes) {
        return new String(bytes.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
