package io.millrace.cli;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.model.BatchId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Several tasks of a batch in one word: {@code 4711_[3-6,9]}. */
public final class TaskRange {

    private static final Pattern FORM = Pattern.compile("(\\d{1,15})_\\[([^%]*)(?:%\\d+)?]");
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    private TaskRange() {}

    /** The same words, with one for each task in place of a range. */
    public static List<String> expanded(final List<String> words) throws CommandException {
        final List<String> all = new ArrayList<>();
        for (final String word : words) {
            final Matcher range = FORM.matcher(word);
            if (range.matches()) {
                add(word, range.group(1), range.group(2), all);
            } else {
                all.add(word);
            }
        }
        return all;
    }

    private static void add(final String word, final String batch, final String tasks, final List<String> to)
            throws CommandException {
        final int before = to.size();
        for (final String text : tasks.split(",", -1)) {
            final Matcher part = PART.matcher(text);
            if (!part.matches()) {
                throw invalid(word, "'" + text + "' is neither a task nor a range of tasks; write 4711_[3-6,9]");
            }
            final int first = Integer.parseInt(part.group(1));
            final int last = part.group(2) == null ? first : Integer.parseInt(part.group(2));
            if (last < first) {
                throw invalid(word, "the range " + text + " ends before it begins");
            }
            if (to.size() - before + (long) last - first >= BatchId.MAX_JOBS) {
                throw invalid(word, "more than " + BatchId.MAX_JOBS + " tasks; name the batch, " + batch);
            }
            for (int task = first; task <= last; task++) {
                to.add(batch + "_" + task);
            }
        }
    }

    private static CommandException invalid(final String word, final String reason) {
        return new CommandException(ExitCode.USAGE, word + ": " + reason);
    }
}
