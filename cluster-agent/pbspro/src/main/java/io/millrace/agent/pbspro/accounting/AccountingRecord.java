package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.pbs.ExitStatus;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsTime;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Run;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of the accounting log: {@code 11/20/2026 12:47:47;R;1.vm;user=alice … run_count=1}. Values that users choose (account,
 * project, name) come before those of PBS, so the last value counts if a field occurs twice.
 *
 * @param type E ended, R requeued, D deleted by a user, A aborted by the server…
 * @param at time of the record; null if unreadable
 */
public record AccountingRecord(char type, @Nullable Instant at, String job, Map<String, String> fields) {

    private static final Pattern WORD = Pattern.compile("([A-Za-z_][A-Za-z0-9_.]*)=(\"[^\"]*\"|\\S*)");

    public AccountingRecord {
        fields = Map.copyOf(fields);
    }

    /** Parses a line; empty if it is not a complete record, e.g. a line that is being written. */
    public static Optional<AccountingRecord> read(final PbsSite site, final String line) {
        final String[] part = line.split(";", 4);
        if (part.length < 3 || part[1].length() != 1) {
            return Optional.empty();
        }
        final Map<String, String> fields = new HashMap<>();
        final Matcher word = WORD.matcher(part.length < 4 ? "" : part[3]);
        while (word.find()) {
            fields.put(word.group(1), word.group(2).replace("\"", ""));
        }
        return Optional.of(new AccountingRecord(
                part[1].charAt(0), PbsTime.accounting(part[0], site.serverZone()), part[2], fields));
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

    /** @param deleted whether the job had been deleted before it ended */
    public Run run(final JobKey key, final boolean deleted) {
        final Instant ended = time("end");
        return new Run(
                key,
                Math.max(1, (int) number("run_count", 1)),
                time("start"),
                ended == null ? key.submittedAt() : ended,
                outcome(deleted),
                "accounting log");
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
                : ExitStatus.withWalltime(
                        ExitStatus.outcome(status),
                        PbsDuration.read(fields.get("resources_used.walltime")),
                        PbsDuration.read(fields.get("Resource_List.walltime")));
    }

    long number(final String word, final long otherwise) {
        final String figure = fields.getOrDefault(word, "");
        return figure.matches("-?\\d{1,18}") ? Long.parseLong(figure) : otherwise;
    }
}
