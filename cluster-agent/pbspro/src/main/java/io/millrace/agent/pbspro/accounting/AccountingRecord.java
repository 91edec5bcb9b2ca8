package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.pbs.ExitStatus;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsTime;
import io.millrace.agent.pbs.ResourcesUsed;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A line of the accounting log: {@code 11/20/2026 12:47:47;R;1.vm;user=alice … run_count=1}. Values that users choose (account,
 * project, name) come before those of PBS, so the last value counts if a field occurs twice.
 *
 * @param type E ended, R requeued, D deleted by a user, A aborted by the server…
 * @param at time of the record; null if unreadable
 */
public record AccountingRecord(char type, @Nullable Instant at, String job, Map<String, String> fields) {

    public AccountingRecord {
        fields = Map.copyOf(fields);
    }

    /** Parses a line; empty if it is not a complete record, e.g. a line that is being written. */
    public static Optional<AccountingRecord> read(final PbsSite site, final String line) {
        final String[] part = line.split(";", 4);
        if (part.length < 3 || part[1].length() != 1 || !PbsId.isToken(part[2])) {
            return Optional.empty();
        }
        return Optional.of(new AccountingRecord(
                part[1].charAt(0),
                PbsTime.accounting(part[0], site.serverZone()),
                part[2],
                fields(part.length < 4 ? "" : part[3])));
    }

    /** The pairs {@code name=value}; a value in double quotes can contain blanks. Users choose some values, so each byte is read once. */
    private static Map<String, String> fields(final String text) {
        final Map<String, String> fields = new HashMap<>();
        int from = 0;
        for (int equals = text.indexOf('='); equals >= 0; equals = text.indexOf('=', from)) {
            final String name = name(text, from, equals);
            from = equals + 1;
            if (!name.isEmpty()) {
                final int quote = text.startsWith("\"", from) ? text.indexOf('"', from + 1) : -1;
                final int end = quote >= 0 ? quote + 1 : endOfWord(text, from);
                fields.put(name, text.substring(from, end).replace("\"", ""));
                from = end;
            }
        }
        return fields;
    }

    /** The name that ends before the equals sign: a letter or underscore, then letters, digits, underscores and dots. */
    private static String name(final String text, final int from, final int equals) {
        int start = equals;
        while (start > from && isNamePart(text.charAt(start - 1))) {
            start--;
        }
        while (start < equals && (text.charAt(start) == '.' || isDigit(text.charAt(start)))) {
            start++;
        }
        return text.substring(start, equals);
    }

    private static boolean isNamePart(final char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_' || c == '.';
    }

    private static boolean isDigit(final char c) {
        return c >= '0' && c <= '9';
    }

    private static int endOfWord(final String text, final int from) {
        int end = from;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    public boolean endsARun() {
        return (type == 'E' || type == 'R') && time("end") != null;
    }

    /** The job's key; null if the record has no creation time. */
    @Nullable
    public JobKey key(final PbsSite site) {
        final Instant created = time("ctime");
        return created == null ? null : new JobKey(new JobId(site.cluster(), job), created);
    }

    @Nullable
    Instant time(final String word) {
        final String figure = fields.getOrDefault(word, "");
        return figure.matches("[1-9]\\d{0,11}") ? Instant.ofEpochSecond(Long.parseLong(figure)) : null;
    }

    /** Whether this is about an array itself. It has a start and an end, but only its subjobs run. */
    boolean isOfArray() {
        return PbsId.in(job).map(PbsId::isArray).orElse(false);
    }

    /** @param deleted whether the job had been deleted before it ended */
    public Run run(final JobKey key, final boolean deleted) {
        final Instant ended = time("end");
        return new Run(
                key,
                Math.max(1, (int) number("run_count", 1)),
                isOfArray() ? null : time("start"),
                ended == null ? key.submittedAt() : ended,
                outcome(deleted),
                "accounting log",
                ResourcesUsed.read(fields::get));
    }

    private RunOutcome outcome(final boolean deleted) {
        if (type == 'R') {
            return new RunOutcome.Requeued();
        }
        final int status = (int) number("Exit_status", Integer.MIN_VALUE);
        if (deleted) {
            return new RunOutcome.Cancelled();
        }
        return status == Integer.MIN_VALUE
                ? new RunOutcome.Unknown("the accounting record has no Exit_status")
                : ExitStatus.withLimits(ExitStatus.outcome(status), fields::get);
    }

    long number(final String word, final long otherwise) {
        final String figure = fields.getOrDefault(word, "");
        return figure.matches("-?\\d{1,18}") ? Long.parseLong(figure) : otherwise;
    }
}
