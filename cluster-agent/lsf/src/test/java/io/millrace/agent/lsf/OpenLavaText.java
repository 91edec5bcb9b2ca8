package io.millrace.agent.lsf;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints in the format of OpenLava 4.0.0, see the recordings in {@code src/test/resources/lsf/openlava-4.0.0}. */
final class OpenLavaText {

    private static final DateTimeFormatter LONG =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SHORT =
            DateTimeFormatter.ofPattern("MMM ppd HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final String THRESHOLDS = """
                   r15s   r1m  r15m   ut      pg    io   ls    it    tmp    swp    mem
         loadSched   -     -     -     -       -     -    -     -     -      -      - \s
         loadStop    -     -     -     -       -     -    -     -     -      -      - \s
        """;
    private static final String RULE = "-".repeat(78) + "\n";

    private OpenLavaText() {}

    static String time(final Instant at) {
        return LONG.format(at);
    }

    /** {@code bjobs -UF}, or {@code -l} with {@code wrapped}. */
    static String jobs(final List<OpenLavaJob> jobs, final boolean wrapped) {
        return jobs.stream().map(job -> "\n" + job(job, wrapped)).collect(Collectors.joining(RULE))
                + (wrapped && !jobs.isEmpty() ? "\n" : "");
    }

    private static String job(final OpenLavaJob job, final boolean wrapped) {
        final StringBuilder text = new StringBuilder();
        text.append(line(
                wrapped,
                (wrapped ? "Job Id <" : "Job <") + job.local() + ">, " + name(job) + "User <"
                        + job.owner.name() + ">, Project <" + job.project + ">, Status <" + job.status + ">, Queue <"
                        + job.queue + ">, " + (job.interactive ? "Interactive mode, " : "") + "Command <"
                        + job.shownCommand() + ">"));
        text.append(line(wrapped, time(job.submitted) + ": " + submission(job, "")));
        limits(job, text);
        if (job.isWaiting()) {
            text.append(" PENDING REASONS:\n ").append(job.reason).append(": 1 host;\n");
        }
        if (!job.isWaiting() && job.started != null) {
            text.append(line(wrapped, time(job.started) + ": " + started(job)));
        }
        if (job.isOver()) {
            text.append(line(wrapped, time(job.finished) + ": " + finished(job)));
        }
        text.append("\n SCHEDULING PARAMETERS:\n").append(THRESHOLDS);
        if (!wrapped) {
            text.append("\n RESOURCE REQUIREMENT DETAILS:\n Combined: ")
                    .append(job.resources)
                    .append("\n Effective: ")
                    .append(job.resources)
                    .append('\n');
        }
        return text.toString();
    }

    private static String name(final OpenLavaJob job) {
        return job.name.isEmpty() ? "" : "Job Name <" + job.shownName() + ">, ";
    }

    private static void limits(final OpenLavaJob job, final StringBuilder text) {
        if (job.minutes > 0) {
            text.append("\n RUNLIMIT                \n ")
                    .append("%-24s".formatted("%.1f min of vm".formatted((double) job.minutes)))
                    .append("\n");
        }
    }

    private static String submission(final OpenLavaJob job, final String queue) {
        final String home = job.owner.home();
        final String directory = job.directory.equals(home) || job.directory.startsWith(home + "/")
                ? "$HOME" + job.directory.substring(home.length())
                : job.directory;
        return "Submitted from host <vm>" + (job.onHold ? " on hold" : "") + queue
                + (job.begin == null ? "" : ", Specified Start Time <" + time(job.begin) + ">")
                + ", CWD <" + directory + ">, Output File </dev/null>"
                + (job.rerunnable ? ", Re-runnable" : "")
                + (job.slots > 1 ? ", " + job.slots + " Processors Requested" : "")
                + (job.resources.isEmpty() ? "" : ", Requested Resources <" + job.resources + ">")
                + (job.checkpoint.isEmpty() ? "" : ", Checkpoint directory <" + job.checkpoint + "/" + job.id + ">")
                + (job.dependency.isEmpty() ? "" : ", Dependency Condition <" + job.dependency + ">")
                + (job.hosts.isEmpty() ? "" : ", Specified Hosts <" + job.hosts + ">") + ";";
    }

    private static String started(final OpenLavaJob job) {
        return (job.index > 0 ? "[" + job.index + "] started on " : "Started on ") + on(job) + ", Execution Home <"
                + job.owner.home() + ">, Execution CWD <" + job.directory + ">;";
    }

    static String on(final OpenLavaJob job) {
        final String hosts = job.on.stream().map(host -> "<" + host + ">").collect(Collectors.joining(" "));
        return job.on.size() > 1 ? job.on.size() + " Hosts/Processors " + hosts : hosts;
    }

    private static String finished(final OpenLavaJob job) {
        if (job.started == null) {
            return "Exited";
        }
        return job.status.equals("DONE")
                ? "Done successfully. The CPU time used is 0.0 seconds."
                : "Exited with exit code " + job.code + ". The CPU time used is 0.0 seconds.";
    }

    /** {@code bhist -l}. */
    static String history(final List<OpenLavaJob> jobs, final Instant now) {
        return jobs.stream().map(job -> "\n" + history(job, now)).collect(Collectors.joining(RULE)) + "\n";
    }

    private static String history(final OpenLavaJob job, final Instant now) {
        final StringBuilder text = new StringBuilder(line(
                true,
                "Job Id <" + job.local() + ">, " + name(job) + "User <" + job.owner.name() + ">, Project <"
                        + job.project + ">, Command <" + job.shownCommand() + ">"));
        text.append(line(true, time(job.submitted) + ": " + submission(job, " to Queue <" + job.queue + ">")));
        limits(job, text);
        job.history.forEach(event -> text.append(line(true, time(event.at()) + ": " + event.text())));
        text.append("\nSummary of time in seconds spent in various states by  ")
                .append(time(now))
                .append("\n  PEND     PSUSP    RUN      USUSP    SSUSP    UNKWN    TOTAL\n")
                .append("  0        0        0        0        0        0        0         \n");
        return text.toString();
    }

    static String table(final List<OpenLavaJob> jobs) {
        final StringBuilder text =
                new StringBuilder("JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME\n");
        jobs.forEach(job -> text.append("%-7d %-7s %-5s %-10s %-11s %-11s %-10s %s\n"
                .formatted(
                        job.id,
                        job.owner.name(),
                        job.status,
                        job.queue,
                        "vm",
                        job.on.isEmpty() ? "   -   " : String.join(":", job.on),
                        job.columnName(),
                        SHORT.format(job.submitted))));
        return text.toString();
    }

    /** A line wrapped as OpenLava wraps it: at 79 bytes, continued after 21 blanks, without leading blanks. */
    static String line(final boolean wrapped, final String text) {
        if (!wrapped) {
            return text + "\n";
        }
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final StringBuilder lines = new StringBuilder();
        int at = 0;
        int width = 79;
        while (at < bytes.length) {
            final int end = Math.min(bytes.length, at + width);
            lines.append(at == 0 ? "" : "\n" + " ".repeat(21))
                    .append(new String(bytes, at, end - at, StandardCharsets.ISO_8859_1));
            at = end;
            while (at < bytes.length && bytes[at] == ' ') {
                at++;
            }
            width = 58;
        }
        return new String(lines.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8) + "\n";
    }
}
