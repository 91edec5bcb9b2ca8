package io.millrace.lab.parts;

import io.millrace.agent.RecordedAdapter;
import io.millrace.agent.RecordedAnswers;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.model.ClusterId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a look at a full queue of PBS, Torque or LSF costs the agent: the recorded clusters answer, with one of their waiting jobs as often
 * as is wanted. How many commands a look is, and what the agent reads and publishes, is as on a live one; what the workload manager needs
 * for its answers is not among the figures. {@code ./millrace bench agent}.
 */
final class RecordedQueueBench {

    private static final int FIRST_ID = 100_000;

    private RecordedQueueBench() {}

    /** Arguments: number of jobs, number of looks. */
    public static void main(final String... args) throws IOException, InterruptedException {
        final int jobs = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        final int looks = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        for (final RecordedAdapter adapter : RecordedAdapter.values()) {
            System.out.println(adapter + ", " + jobs + " waiting jobs:");
            final Path folder = Files.createTempDirectory("millrace-bench-");
            new FullQueue(ClusterId.of("vm"), full(adapter, jobs), runner -> adapter.on(runner, folder), System.out)
                    .look(looks, Duration.ofMillis(200));
            delete(folder);
        }
    }

    private static void delete(final Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (final Path file :
                    files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Runner full(final RecordedAdapter adapter, final int jobs) {
        final Map<String, CommandResult> answers = adapter.answers();
        final String listing = switch (adapter) {
            case PBSPRO -> "qstat";
            case TORQUE -> "qstat";
            case LSF -> "bjobs -u all -a -l";
        };
        answers.computeIfPresent(
                listing, (line, recorded) -> CommandResult.of(0, repeated(adapter, recorded.outputText(), jobs), ""));
        return new RecordedAnswers(answers, new ArrayList<>());
    }

    private static String repeated(final RecordedAdapter adapter, final String text, final int jobs) {
        return switch (adapter) {
            case PBSPRO -> repeated(text, "\"job_state\":\t\"Q\"", "\n\t\t\"", "\n\t\t}", "\n\t\t\"(\\d+)", jobs);
            case TORQUE -> repeated(text, "<job_state>W<", "<Job><Job_Id>", "</Job>", "<Job_Id>(\\d+)", jobs);
            case LSF -> repeated(text, "Job Id <104>", "\nJob Id <", "\n\nJob Id <", "\nJob Id <(\\d+)", jobs);
        };
    }

    /**
     * The text with the first job that waits as often as is wanted, each under an id of its own.
     *
     * @param state says that a job waits
     * @param begin of a job
     * @param end of a job; where it is also the begin of the next one, that part is left
     * @param id with the figure as its group
     */
    private static String repeated(
            final String text,
            final String state,
            final String begin,
            final String end,
            final String id,
            final int jobs) {
        final int at = text.indexOf(state);
        final int from = text.lastIndexOf(begin, at);
        final int last = text.indexOf(end, at);
        if (at < 0 || from < 0 || last < 0) {
            throw new IllegalStateException("the recording holds no job with '" + state + "'");
        }
        final boolean nextBegins = end.endsWith(begin);
        final int to = nextBegins ? last + end.length() - begin.length() : last + end.length();
        final String comma = text.startsWith(",", to) ? "," : "";
        final String job = text.substring(from, to);
        final Matcher number = Pattern.compile(id).matcher(job);
        if (!number.find()) {
            throw new IllegalStateException("no id in: " + job);
        }
        final StringBuilder all = new StringBuilder(text.substring(0, from));
        for (int count = 0; count < jobs; count++) {
            all.append(job, 0, number.start(1))
                    .append(FIRST_ID + count)
                    .append(job.substring(number.end(1)))
                    .append(count + 1 < jobs ? comma : "");
        }
        return all.append(text.substring(to)).toString();
    }
}
