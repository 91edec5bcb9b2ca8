package io.millrace.lab.planners.verification;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.swf.SwfReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The starts of a trace with a policy, computed by another simulator.
 *
 * @param starts seconds, by job number
 */
public record ReferenceSchedule(String trace, String policy, Map<Long, Long> starts) {

    private static final Pattern NAME = Pattern.compile("(.+)-(fcfs|easy|easysjbf|conservative)\\.csv(\\.gz)?");

    /** The policy of a reference schedule's name. */
    public static BackfillPolicy policy(final String name) {
        return switch (name) {
            case "fcfs" -> BackfillPolicy.STRICT_FCFS;
            case "easy" -> BackfillPolicy.EASY_FCFS;
            case "easysjbf" -> BackfillPolicy.EASY_FCFS.candidates(JobOrder.SJF);
            case "conservative" -> BackfillPolicy.CONSERVATIVE_FCFS;
            default ->
                throw new IllegalArgumentException(
                        "unknown policy '" + name + "'; expected fcfs, easy, easysjbf or conservative");
        };
    }

    /** All reference schedules of a folder, by name. */
    public static List<Path> in(final Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(
                            file -> NAME.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    /** @throws IOException if it cannot be read, or is not a table with the columns {@code job_id} and {@code start} */
    public static ReferenceSchedule read(final Path file) throws IOException {
        final Matcher name = NAME.matcher(file.getFileName().toString());
        if (!name.matches()) {
            throw new IOException("'" + file + "' is not named TRACE-POLICY.csv");
        }
        final Map<Long, Long> starts = new HashMap<>();
        try (BufferedReader lines = SwfReader.lines(file)) {
            final List<String> header =
                    List.of(Optional.ofNullable(lines.readLine()).orElse("").split(",", -1));
            final int job = header.indexOf("job_id");
            final int start = header.indexOf("start");
            if (job < 0 || start < 0) {
                throw new IOException("'" + file + "' has no columns job_id and start");
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                final String[] cells = line.split(",", -1);
                starts.put(Long.valueOf(cells[job]), (long) Double.parseDouble(cells[start]));
            }
        }
        return new ReferenceSchedule(name.group(1), name.group(2), starts);
    }

    /** Jobs whose start differs, or that are in only one of the schedules. */
    public List<String> differences(final List<SimulatedJob> jobs) {
        final Map<Long, Long> left = new HashMap<>(starts);
        final List<String> differences = new ArrayList<>();
        for (final SimulatedJob job : jobs) {
            final Long start = left.remove(job.id());
            if (start == null || start != job.start_s()) {
                differences.add("job " + job.id() + " starts at " + job.start_s() + ", in the reference "
                        + (start == null ? "never" : "at " + start));
            }
        }
        left.forEach((id, start) -> differences.add("job " + id + " never starts, in the reference at " + start));
        return differences;
    }
}
