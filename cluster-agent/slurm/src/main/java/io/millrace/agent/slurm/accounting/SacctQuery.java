package io.millrace.agent.slurm.accounting;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.DelimitedTable;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code sacct}: jobs from slurmdbd. It does not use {@code --json}, in which 22.05 prints exit code 0 for every job.
 *
 * @param ids local ids; empty if {@code since} selects the jobs
 * @param since selects jobs that ended at or after this time; null if {@code ids} selects them
 */
public record SacctQuery(
        SlurmSite site, List<String> ids, @Nullable Instant since, String nonce)
        implements QueryCommand<List<SacctRow>> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);
    /** Every state that ends a run; a version ignores codes that it does not know. */
    private static final String END_STATES = "BF,CA,CD,DL,F,NF,OOM,PR,RQ,RV,TO";

    public static SacctQuery of(final SlurmSite site, final Collection<String> ids, final String nonce) {
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
            argv.add("--endtime="
                    + TIME.format(since.plus(Duration.ofDays(3650)))); // independent of the database's clock
            argv.add("--state=" + END_STATES);
        }
        return argv;
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(60);
    }

    @Override
    public Answer<List<SacctRow>> read(final CommandResult result) {
        if (isDisabled(result)) {
            return Answer.trouble(
                    Answer.Kind.REJECTED,
                    "sacct has no data because slurmdbd is not configured; set"
                            + " AccountingStorageType=accounting_storage/slurmdbd");
        }
        // Without slurmdbd, sacct prints an error and exits with 0 or 1, depending on the version.
        if (!result.succeeded() || !result.errorText().isEmpty()) {
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
        return (result.errorText() + result.outputText()).contains("accounting storage is disabled");
    }
}
