package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Array indices: ranges with steps, lists, and the number of tasks that may run at once. */
public final class ArrayIndices {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?");

    private ArrayIndices() {}

    /** Slurm and Torque: {@code 0-15:4,20%2}. */
    static JobSetting slurm(final String text) throws DirectiveSyntaxException {
        final int percent = text.indexOf('%');
        final int atOnce = percent < 0 ? 0 : Quantities.positive(text.substring(percent + 1), "tasks at once");
        return new JobSetting.Array(ranges(percent < 0 ? text : text.substring(0, percent)), atOnce);
    }

    /**
     * Indices in the format of {@code sbatch --array}: {@code 0-15:4,20%2}.
     *
     * @throws IllegalArgumentException if they are not valid
     */
    public static JobSetting.Array read(final String text) {
        try {
            return (JobSetting.Array) slurm(text);
        } catch (final DirectiveSyntaxException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    static List<JobSetting.Range> ranges(final String text) throws DirectiveSyntaxException {
        final List<JobSetting.Range> ranges = new ArrayList<>();
        for (final String part : text.split(",", -1)) {
            final Matcher m = RANGE.matcher(part.strip());
            if (!m.matches()) {
                throw new DirectiveSyntaxException("'" + part + "' is not a valid array range; use first-last[:step]");
            }
            final int first = Integer.parseInt(m.group(1));
            final int last = m.group(2) == null ? first : Integer.parseInt(m.group(2));
            final int step = m.group(3) == null ? 1 : Quantities.positive(m.group(3), "steps");
            if (last < first) {
                throw new DirectiveSyntaxException("array range '" + part + "' ends before it starts");
            }
            ranges.add(new JobSetting.Range(first, last, step));
        }
        return ranges;
    }

    public static String write(final List<JobSetting.Range> ranges) {
        return ranges.stream()
                .map(range -> range.first() == range.last()
                        ? Integer.toString(range.first())
                        : range.first() + "-" + range.last() + (range.step() == 1 ? "" : ":" + range.step()))
                .collect(Collectors.joining(","));
    }
}
