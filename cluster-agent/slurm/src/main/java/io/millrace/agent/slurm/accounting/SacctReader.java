package io.millrace.agent.slurm.accounting;

import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.LocalTimes;
import io.millrace.model.ClusterId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of {@code sacct --parsable2} with its header, in any order of columns. Job steps are ignored. {@code sacct} does not
 * escape the separator in job names, therefore a last column {@code JobName} may contain it. {@code sacct} prints the rows of a job one
 * after the other: of its runs, of its parts between resizes, and of the components of a heterogeneous job. They are joined as the agent
 * joins them.
 */
public final class SacctReader implements AccountingReader {

    private static final Set<String> OPTIONAL = Set.of("UID", "AdminComment", "Comment", "ReqTRES", "Timelimit");
    /** The columns of times, in the order in which a job passes them. */
    private static final List<Integer> TIMES =
            Stream.of("Submit", "Start", "End").map(SacctRow.FIELDS::indexOf).toList();
    /** Jobs whose rows are kept, because more rows of the same job can follow. */
    private static final int RECENT = 1_000;

    private static final char SEPARATOR = '|';

    private final ClusterId cluster;
    private final ZoneId zone;
    private @Nullable String header;
    /** The column of each of {@link SacctRow#FIELDS}; -1 if it is missing. */
    private int[] columns = {};

    private int width;
    private boolean nameIsLast;
    private final LinkedHashMap<String, Set<SacctRow>> recent = new LinkedHashMap<>();

    /** @param zone in which {@code sacct} printed times; it has no effect on times in seconds since 1970 */
    public SacctReader(final ClusterId cluster, final ZoneId zone) {
        this.cluster = cluster;
        this.zone = zone;
    }

    @Override
    public AccountingLine read(final String line) {
        if (line.isBlank() || line.equals(header)) {
            return AccountingLine.HEADER;
        }
        if (header == null) {
            readHeader(line);
            return AccountingLine.HEADER;
        }
        final String[] cells = cells(line);
        if (cells.length != width) {
            throw new IllegalArgumentException(cells.length + " columns instead of " + width);
        }
        if (cells[columns[SacctRow.FIELDS.indexOf("JobID")]].indexOf('.') >= 0) {
            return AccountingLine.DETAIL;
        }
        final SacctRow row = SacctRow.read(fields(cells));
        require(row.ended() != null || !row.hasEndState(), "is " + row.state() + " but has no end time", row);
        require(
                row.started() == null || row.ended() == null || !row.ended().isBefore(row.started()),
                "ends before it starts",
                row);
        final boolean isNew =
                recent.computeIfAbsent(row.job(), job -> new LinkedHashSet<>()).add(row);
        if (!isNew && row.hasEnded()) {
            return AccountingLine.REPEATED;
        }
        return recent.size() > RECENT
                ? new AccountingLine.End(jobs(recent.pollFirstEntry().getValue()))
                : AccountingLine.DETAIL;
    }

    @Override
    public List<EndedJob> atEndOfFile() {
        final List<EndedJob> jobs =
                recent.values().stream().flatMap(rows -> jobs(rows).stream()).toList();
        recent.clear();
        return jobs;
    }

    private List<EndedJob> jobs(final Set<SacctRow> rows) {
        return SacctRuns.of(rows).stream()
                .map(run -> RecentlyEndedJobs.job(cluster, List.of(run), "sacct", Map.of()))
                .toList();
    }

    private static void require(final boolean holds, final String otherwise, final SacctRow row) {
        if (!holds) {
            throw new IllegalArgumentException("job " + row.job() + " " + otherwise);
        }
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
            fields[i] = columns[i] < 0 ? "" : cells[columns[i]];
        }
        Instant previous = Instant.MIN;
        for (final int time : TIMES) {
            if (fields[time].indexOf('T') == 10) {
                previous = LocalTimes.notBefore(local(fields[time]), previous, zone);
                fields[time] = Long.toString(previous.getEpochSecond());
            }
        }
        return Arrays.asList(fields);
    }

    private Instant local(final String time) {
        try {
            return LocalDateTime.parse(time).atZone(zone).toInstant();
        } catch (final DateTimeException e) {
            throw new IllegalArgumentException("'" + time + "' is not a time", e);
        }
    }
}
