package io.millrace.agent.slurm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code sacct}: what slurmdbd knows of jobs. Not its {@code --json}: 22.05 prints exit code 0 there for every job.
 *
 * @param ids local ids; empty where {@code since} tells which jobs are meant
 * @param since jobs that ended at or after this; null where {@code ids} tells
 */
record SacctQuery(
        SlurmSite site, List<String> ids, @Nullable Instant since, String nonce)
        implements CommandLine<List<SacctRow>> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);
    /** Every state that ends a run; each version takes the letters of those that it knows. */
    private static final String ENDS = "BF,CA,CD,DL,F,NF,OOM,PR,RQ,RV,TO";

    static SacctQuery of(final SlurmSite site, final Collection<String> ids, final String nonce) {
        return new SacctQuery(site, List.copyOf(ids), null, nonce);
    }

    static SacctQuery since(final SlurmSite site, final Instant since, final String nonce) {
        return new SacctQuery(site, List.of(), since, nonce);
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of(
                "sacct",
                "--allusers",
                "--allocations",
                "--duplicates",
                "--noheader",
                "--noconvert",
                "--parsable",
                "--delimiter=" + DelimitedTable.delimiter(nonce),
                "--format=" + String.join(",", SacctRow.FIELDS)));
        if (since == null) {
            argv.add("--jobs=" + String.join(",", ids));
        } else {
            argv.add("--starttime=" + TIME.format(since));
            argv.add("--endtime=" + TIME.format(since.plus(Duration.ofDays(3650)))); // whatever clock the database has
            argv.add("--state=" + ENDS);
        }
        return argv;
    }

    @Override
    public Map<String, String> environment() {
        return site.queryEnvironment();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(60);
    }

    @Override
    public Answer<List<SacctRow>> read(final CommandResult result) {
        if (isDisabled(result)) {
            return Answer.trouble(
                    Answer.Kind.REJECTED, "this cluster has no slurmdbd (AccountingStorageType); sacct knows nothing");
        }
        // With slurmdbd away sacct complains, prints nothing and exits with 0 or 1, depending on the version.
        if (!result.succeeded() || !result.complaint().isEmpty()) {
            return SlurmErrors.of("sacct", result, Answer.Kind.UNREADABLE);
        }
        try {
            return Answer.ok(DelimitedTable.rows(result.outputText(), SacctRow.FIELDS.size(), nonce).stream()
                    .map(SacctRow::read)
                    .toList());
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("sacct", e, result);
        }
    }

    private static boolean isDisabled(final CommandResult result) {
        return (result.complaint() + result.outputText()).contains("accounting storage is disabled");
    }
}
