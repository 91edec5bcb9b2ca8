package io.millrace.agent.slurm.accounting;

import io.millrace.agent.slurm.format.RunOutcomes;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Run;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of {@code sacct --parsable2} with its header, in any order of columns. Job steps are ignored. {@code sacct} does not
 * escape the separator in job names, therefore a last column {@code JobName} may contain it.
 */
public final class SacctReader implements AccountingReader {

    private static final Set<String> OPTIONAL = Set.of("UID", "AdminComment", "Comment", "ReqTRES", "Timelimit");
    private static final List<String> TIMES = List.of("Submit", "Start", "End");
    private static final char SEPARATOR = '|';

    private final ClusterId cluster;
    private final ZoneId zone;
    private @Nullable String header;
    /** The column of each of {@link SacctRow#FIELDS}; -1 if it is missing. */
    private int[] columns = {};

    private int width;
    private boolean nameIsLast;

    /** @param zone in which {@code sacct} printed times; it has no effect on times in seconds since 1970 */
    public SacctReader(final ClusterId cluster, final ZoneId zone) {
        this.cluster = cluster;
        this.zone = zone;
    }

    @Override
    public Optional<EndedJob> read(final String line) {
        if (line.isBlank() || line.equals(header)) {
            return Optional.empty();
        }
        if (header == null) {
            readHeader(line);
            return Optional.empty();
        }
        final String[] cells = cells(line);
        if (cells.length != width) {
            throw new IllegalArgumentException(cells.length + " columns instead of " + width);
        }
        if (cells[columns[SacctRow.FIELDS.indexOf("JobID")]].indexOf('.') >= 0) {
            return Optional.empty();
        }
        final SacctRow row = SacctRow.read(fields(cells));
        return row.hasEnded() && row.ended() != null && !row.request().user().isEmpty()
                ? Optional.of(job(row, row.ended()))
                : Optional.empty();
    }

    private void readHeader(final String line) {
        final List<String> names = Arrays.asList(line.split("\\|"));
        final String missing = SacctRow.FIELDS.stream()
                .filter(field -> !OPTIONAL.contains(field) && !names.contains(field))
                .collect(Collectors.joining(","));
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("no header with the columns " + missing
                    + "; use sacct --allusers --duplicates --allocations --noconvert --parsable2 --format="
                    + SacctRow.FIELDS.stream()
                            .filter(field -> !field.equals("UID"))
                            .collect(Collectors.joining(",")));
        }
        header = line;
        width = names.size();
        nameIsLast = names.getLast().equals("JobName") && !line.endsWith("|");
        columns = SacctRow.FIELDS.stream().mapToInt(names::indexOf).toArray();
    }

    /** The cells of a line; a separator that ends the line is that of {@code sacct --parsable}. */
    private String[] cells(final String line) {
        if (nameIsLast) {
            return split(line, width);
        }
        final String[] cells = split(line, Integer.MAX_VALUE);
        return cells.length == width + 1 && cells[width].isEmpty() ? Arrays.copyOf(cells, width) : cells;
    }

    private static String[] split(final String line, final int most) {
        int count = 1;
        for (int at = line.indexOf(SEPARATOR); at >= 0 && count < most; at = line.indexOf(SEPARATOR, at + 1)) {
            count++;
        }
        final String[] cells = new String[count];
        int from = 0;
        for (int i = 0; i < count - 1; i++) {
            final int end = line.indexOf(SEPARATOR, from);
            cells[i] = line.substring(from, end);
            from = end + 1;
        }
        cells[count - 1] = line.substring(from);
        return cells;
    }

    private List<String> fields(final String[] cells) {
        final String[] fields = new String[columns.length];
        for (int i = 0; i < columns.length; i++) {
            final String cell = columns[i] < 0 ? "" : cells[columns[i]];
            fields[i] = TIMES.contains(SacctRow.FIELDS.get(i)) ? inSeconds(cell) : cell;
        }
        return Arrays.asList(fields);
    }

    private String inSeconds(final String time) {
        if (time.indexOf('T') != 10) {
            return time;
        }
        try {
            return Long.toString(LocalDateTime.parse(time).atZone(zone).toEpochSecond());
        } catch (final DateTimeException e) {
            throw new IllegalArgumentException("'" + time + "' is not a time", e);
        }
    }

    private EndedJob job(final SacctRow row, final Instant ended) {
        final JobKey key = new JobKey(new JobId(cluster, row.job()), row.submitted());
        final Run run = new Run(key, 1, row.started(), ended, RunOutcomes.of(row.state(), row.exit()), "sacct");
        final String account = row.request().account();
        return new EndedJob(
                key,
                row.request().name(),
                null,
                UserName.of(row.request().user()),
                account.isEmpty() ? null : ProjectName.of(account),
                PartitionName.of(row.request().partition()),
                row.request().resources(),
                row.request().walltime(),
                List.of(run));
    }
}
