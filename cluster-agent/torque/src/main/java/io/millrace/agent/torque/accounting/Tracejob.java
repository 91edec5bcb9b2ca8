package io.millrace.agent.torque.accounting;

import io.millrace.agent.pbs.PbsTime;
import io.millrace.agent.torque.query.TorqueQuery;
import io.millrace.agent.torque.query.TorqueSite;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs {@code tracejob}, which collects all log lines of one job. Used only if neither the queue nor the accounting log has the
 * job's end. It must run on the server's host and be able to read the logs.
 *
 * @param days number of days to search
 */
record Tracejob(TorqueSite site, String id, int days) implements TorqueQuery<List<AccountingRecord>> {

    private static final Pattern LINE =
            Pattern.compile("(\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d)(?:\\.\\d+)?\\s+([A-Z])\\s+(.*)");

    @Override
    public List<String> argv() {
        return List.of(site.program("tracejob"), "-q", "-n", Integer.toString(days), id);
    }

    /** Times are in the server's time zone, because they are copied from the logs. */
    @Override
    public Map<String, String> environment() {
        return site.commandEnvironment();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(60);
    }

    @Override
    public List<AccountingRecord> parse(final String output) {
        final List<AccountingRecord> records = new ArrayList<>();
        boolean ended = false;
        for (final String line : output.split("\n")) {
            final Matcher form = LINE.matcher(line.strip());
            if (!form.matches()) {
                continue;
            }
            final String message = form.group(3).strip();
            final char type = type(message);
            // The end is both in the server's log and in the accounting log.
            if (type == ' ' || (type == 'E' && ended)) {
                continue;
            }
            ended = ended || type == 'E';
            final Instant at = PbsTime.accounting(form.group(1), site.zone());
            if (at == null) {
                throw new IllegalArgumentException("'" + form.group(1) + "' is not a valid time");
            }
            records.add(new AccountingRecord(at, type, id, AccountingRecord.fields(message), message));
        }
        return AccountingRecord.inOrder(records, site.zone());
    }

    private static char type(final String message) {
        if (message.startsWith("Job Run at request")
                || message.startsWith("Job Modified at request of Scheduler to run")) {
            return 'S';
        }
        if (message.startsWith("Job Rerun at request") || message.startsWith("job rerun")) {
            return 'R';
        }
        if (message.startsWith("Job deleted at request") || message.startsWith("Job to be deleted at request")) {
            return 'D';
        }
        if (message.contains("Exit_status=")) {
            return 'E';
        }
        return message.startsWith("Job aborted") || message.startsWith("Aborted by PBS Server") ? 'A' : ' ';
    }
}
