package io.millrace.agent.history;

import io.millrace.agent.domain.Run;
import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.LocalTimes;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.RunOutcome;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the short log of Cleo (setting {@code short_log_file}):
 *
 * <pre>
 * [Thu Nov 12 14:04:26 2009] main    :ADDED 1635; main;; anna; 4; ./solver input
 * [Thu Nov 12 14:10:00 2009] main    :RUN 1635; anna; 4; ./solver input
 * [Thu Nov 12 15:30:05 2009] main    :END_TASK 1635; anna; 0; 0; 1:20:5
 * </pre>
 *
 * <p>The fields of the end are user, exit status, signal and run time. The log has no time limits. A job that was added before the log
 * begins counts as submitted when it started. The lines are in the order of time, which resolves the hour that occurs twice at the end of
 * summer time.
 */
final class CleoLogReader implements AccountingReader {

    private static final int MAX_JOBS = 100_000;
    private static final Pattern LINE =
            Pattern.compile("\\[([^]]{1,40})] (\\S{1,255}) {0,64}:([A-Z_]{1,30}0?):?(?: (\\w{1,64})(?:; (.*))?)?");
    private static final DateTimeFormatter CTIME = DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss uuuu", Locale.ROOT);

    private record Job(Instant submitted, @Nullable Instant started, String user, int cores, String program) {

        Job waiting() {
            return new Job(submitted, null, user, cores, program);
        }
    }

    private final ClusterId cluster;
    private final ZoneId zone;
    private Instant previous = Instant.MIN;
    /** The jobs that have not ended, by queue and id. */
    private final Map<String, Job> jobs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(final Map.Entry<String, Job> eldest) {
            return size() > MAX_JOBS;
        }
    };

    CleoLogReader(final ClusterId cluster, final ZoneId zone) {
        this.cluster = cluster;
        this.zone = zone;
    }

    @Override
    public AccountingLine read(final String line) {
        if (line.isBlank()) {
            return AccountingLine.HEADER;
        }
        final Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            if (line.contains(":Server ")) {
                return AccountingLine.HEADER; // the server was stopped
            }
            throw new IllegalArgumentException("not a line of Cleo's short log");
        }
        final Instant at = LocalTimes.notBefore(time(parts.group(1)), previous, zone);
        previous = at;
        final String queue = parts.group(2);
        final String id = parts.group(4) == null ? "" : parts.group(4);
        final String[] fields = (parts.group(5) == null ? "" : parts.group(5)).split(";", 5);
        final String key = queue + "/" + id;
        switch (parts.group(3)) {
            case "ADDED" -> added(key, at, fields);
            case "RUN" -> started(key, at, fields);
            case "END_TASK" -> {
                return ended(key, queue, id, at, fields);
            }
            case "RUN_FAIL" -> {
                return withoutRun(key, queue, id, at);
            }
            case "CANCEL" -> {
                final Job job = jobs.get(key);
                // The end of a job that was cancelled while it ran follows.
                return job != null && job.started() != null ? AccountingLine.DETAIL : withoutRun(key, queue, id, at);
            }
            default -> {
                // RUN_NODES, END_TASK_NODES and other events repeat what is known.
            }
        }
        return AccountingLine.DETAIL;
    }

    /** {@code owner;old id; user; cores; program}; the old id is empty for a new job. */
    private void added(final String key, final Instant at, final String[] fields) {
        require(fields.length > 4, "ADDED without user, cores and program");
        jobs.put(key, new Job(at, null, fields[2].strip(), cores(fields[3]), fields[4]));
    }

    /** {@code user; cores; program}. */
    private void started(final String key, final Instant at, final String[] fields) {
        require(fields.length > 2, "RUN without user, cores and program");
        final Job before = jobs.get(key);
        jobs.put(
                key,
                new Job(before == null ? at : before.submitted(), at, fields[0].strip(), cores(fields[1]), fields[2]));
    }

    private AccountingLine ended(
            final String key, final String queue, final String id, final Instant at, final String[] fields) {
        require(fields.length > 2, "END_TASK without status and signal");
        final Job job = jobs.remove(key);
        return job == null
                ? AccountingLine.DETAIL // it started before the log begins
                : end(job, queue, id, at, outcome(fields[1], fields[2]));
    }

    /** Cancelled in the queue, or the start failed. */
    private AccountingLine withoutRun(final String key, final String queue, final String id, final Instant at) {
        final Job job = jobs.remove(key);
        return job == null ? AccountingLine.DETAIL : end(job.waiting(), queue, id, at, new RunOutcome.Cancelled());
    }

    private AccountingLine end(
            final Job job, final String queue, final String id, final Instant at, final RunOutcome outcome) {
        final JobKey name = new JobKey(new JobId(cluster, id), job.submitted());
        return AccountingLine.end(new EndedJob(
                name,
                program(job.program()),
                null,
                NameMapping.user(job.user()),
                null,
                NameMapping.partition(queue),
                Resources.cores(job.cores()),
                null,
                List.of(new Run(name, 1, job.started(), at, outcome, "cleo"))));
    }

    private static RunOutcome outcome(final String status, final String signal) {
        final int killedBy = figure(signal);
        return killedBy > 0 ? new RunOutcome.Signalled(killedBy) : new RunOutcome.Exited(figure(status) & 0xff);
    }

    /** The file name of the program, without its arguments. */
    private static String program(final String command) {
        final String path = command.strip().split(" ", 2)[0];
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private Instant time(final String text) {
        try {
            return LocalDateTime.parse(text.replace("  ", " "), CTIME)
                    .atZone(zone)
                    .toInstant();
        } catch (final DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is not a time", e);
        }
    }

    /** Cleo accepts a suffix, e.g. {@code 4-as}. */
    private static int cores(final String text) {
        return Math.max(1, figure(text.strip().replaceFirst("(?<=\\d)-.*", "")));
    }

    private static int figure(final String text) {
        final String figure = text.strip();
        require(figure.matches("-?\\d{1,9}"), "'" + figure + "' is not a number");
        return Integer.parseInt(figure);
    }

    private static void require(final boolean holds, final String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
