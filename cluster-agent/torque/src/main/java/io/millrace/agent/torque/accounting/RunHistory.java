package io.millrace.agent.torque.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.pbs.ResourcesUsed;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All accounting records of one job.
 *
 * @param records in the order of the log
 */
record RunHistory(List<AccountingRecord> records) {

    private static final String FINAL = "EDA";
    /** The log has the time when the job was queued, which equals the creation time except for a small clock difference. */
    private static final Duration NEAR = Duration.ofMinutes(10);

    RunHistory {
        records = List.copyOf(records);
    }

    /** Splits the records of one id into jobs, oldest first. Ids are reused when a server's database is recreated. */
    static List<RunHistory> of(final List<AccountingRecord> records) {
        final List<RunHistory> histories = new ArrayList<>();
        List<AccountingRecord> current = new ArrayList<>();
        @Nullable Instant created = null;
        boolean ended = false;
        for (final AccountingRecord record : records) {
            final Instant ctime = record.time("ctime");
            final boolean another =
                    (ended && record.type() == 'Q') || (created != null && ctime != null && !created.equals(ctime));
            if (another) {
                histories.add(new RunHistory(current));
                current = new ArrayList<>();
                created = null;
                ended = false;
            }
            current.add(record);
            created = ctime == null ? created : ctime;
            ended = ended || FINAL.indexOf(record.type()) >= 0;
        }
        if (!current.isEmpty()) {
            histories.add(new RunHistory(current));
        }
        return histories;
    }

    Optional<Instant> created() {
        return records.stream()
                .flatMap(record -> Optional.ofNullable(record.time("ctime")).stream())
                .findFirst();
    }

    /** Whether this is the job submitted at the given time. The records of a job that never started have only its queue time. */
    boolean belongsTo(final Instant submitted) {
        return created()
                .map(submitted::equals)
                .orElseGet(() ->
                        Duration.between(submitted, records.get(0).at()).abs().compareTo(NEAR) <= 0);
    }

    /**
     * The ended runs, oldest first.
     *
     * @param gone whether the server no longer lists the job; then a deletion without an end record is the end
     */
    List<Run> runs(final JobKey key, final boolean gone, final String source) {
        final List<Run> runs = new ArrayList<>();
        int number = 0;
        @Nullable Instant started = null;
        boolean deleted = false;
        boolean aborted = false;
        boolean ended = false;
        @Nullable Instant last = null;
        for (final AccountingRecord record : records) {
            switch (record.type()) {
                case 'S', 'T' -> {
                    if (started != null) {
                        // A failed start, or a requeue that the server does not log.
                        runs.add(new Run(key, number, started, record.at(), new RunOutcome.Requeued(), source));
                    }
                    number++;
                    started = startOf(record);
                }
                case 'R', 'C' -> {
                    if (started != null
                            && (record.type() == 'R' || record.text().contains("held"))) {
                        runs.add(new Run(key, number, started, record.at(), new RunOutcome.Requeued(), source));
                        started = null;
                    }
                }
                case 'D' -> {
                    deleted = true;
                    last = record.at();
                }
                case 'A' -> {
                    aborted = true;
                    last = record.at();
                }
                case 'E' -> {
                    final Instant start = record.time("start");
                    final Instant end = record.time("end");
                    runs.add(new Run(
                            key,
                            Math.max(1, started == null ? number + (runs.size() < number ? 0 : 1) : number),
                            start == null ? started : start,
                            end == null ? record.at() : end,
                            RunOutcomes.of(record, deleted),
                            source,
                            ResourcesUsed.read(record.fields()::get)));
                    started = null;
                    ended = true;
                }
                default -> {
                    // Queued, or types of other versions: no run ended.
                }
            }
        }
        if (!ended && last != null && (deleted || aborted) && (gone || started == null)) {
            final RunOutcome outcome =
                    aborted && started != null ? new RunOutcome.NodeFailed() : new RunOutcome.Cancelled();
            runs.add(new Run(key, started == null ? number + 1 : number, started, last, outcome, source));
        }
        return List.copyOf(runs);
    }

    private static Instant startOf(final AccountingRecord record) {
        final Instant start = record.time("start");
        return start == null ? record.at() : start;
    }
}
