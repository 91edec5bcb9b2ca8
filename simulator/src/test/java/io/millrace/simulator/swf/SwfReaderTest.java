package io.millrace.simulator.swf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwfReaderTest {

    private static final Path SMALL = Path.of("src/test/resources/small.swf");

    @TempDir
    private Path folder;

    @Test
    void reads_header_and_jobs() throws IOException {
        final SwfTrace trace = SwfReader.read(SMALL);

        assertThat(trace.maxProcs()).contains(64);
        assertThat(trace.header()).containsEntry("Version", "2.2");
        assertThat(trace.jobs()).hasSize(395);
        assertThat(trace.jobs()).isSortedAccordingTo((one, other) -> Long.compare(one.submit_s(), other.submit_s()));
    }

    /** The tests of submit-service check that the file is what it writes. */
    @Test
    void usage_records_of_submit_service_are_read_as_they_are() throws IOException {
        final SwfTrace trace = SwfReader.read(Path.of("../submit-service/src/test/resources/usage.swf"));

        assertThat(trace.skipped()).isEmpty();
        assertThat(trace.longer()).isEmpty();
        assertThat(trace.header()).containsEntry("TimeZoneString", "Europe/Berlin");
        assertThat(trace.jobs())
                .containsExactly(
                        new SwfJob(1, 1_772_366_402, 600, 4, 3600, 1, -1),
                        new SwfJob(2, 1_772_366_403, 600, 4, 3600, 2, -1));
    }

    @Test
    void invalid_lines_are_skipped_and_reported() throws IOException {
        assertThat(SwfReader.read(SMALL).skipped())
                .containsExactly(
                        "line 54: field 2 is 'oops', not a number",
                        "line 55: 5 fields instead of 18",
                        "line 57: job 53 has no number of processors",
                        "line 58: job 1 occurs twice");
    }

    @Test
    void jobs_that_were_cancelled_before_their_start_are_counted_and_not_reported_as_errors() throws IOException {
        final Path log = Files.writeString(folder.resolve("cancelled.swf"), """
            1 0 60 1740 4 -1 -1 4 3600 -1 1 3 2 7 1 0 -1 -1
            2 10 500 -1 -1 -1 -1 8 600 -1 5 4 -1 -1 -1 -1 -1 -1
            3 20 -1 -1 0 -1 -1 8 600 -1 0 4 -1 -1 -1 -1 -1 -1
            4 20 -1 -1 -1 -1 -1 8 600 -1 1 4 -1 -1 -1 -1 -1 -1
            """);
        final SwfTrace trace = SwfReader.read(log);
        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.neverStarted()).isEqualTo(2);
        assertThat(trace.skipped()).containsExactly("line 4: job 4 has no run time");
    }

    @Test
    void extra_fields_of_a_line_are_ignored_and_reported() throws IOException {
        final Path log = Files.writeString(
                folder.resolve("longer.swf"), "1 5 -1 100 4 -1 -1 4 200 -1 1 7 1 -1 1 -1 -1 -1 extra 20\n");
        final SwfTrace trace = SwfReader.read(log);
        assertThat(trace.jobs()).containsExactly(new SwfJob(1, 5, 100, 4, 200, 7, -1));
        assertThat(trace.longer()).containsExactly("line 1: 20 fields, only the first 18 are used");
        assertThat(trace.skipped()).isEmpty();
    }

    @Test
    void an_unknown_value_is_taken_from_an_alternative_field() throws IOException {
        final SwfJob job = SwfReader.read(SMALL).jobs().stream()
                .filter(j -> j.id() == 55)
                .findFirst()
                .orElseThrow();

        assertThat(job.cores()).as("allocated, where requested is unknown").isPositive();
        assertThat(job.requested_s()).as("run time, where requested is unknown").isEqualTo(100);
    }

    @Test
    void a_compressed_trace_gives_the_same_jobs() throws IOException {
        final Path compressed = folder.resolve("small.swf.gz");
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            Files.copy(SMALL, gzip);
        }

        assertThat(SwfReader.read(compressed)).isEqualTo(SwfReader.read(SMALL));
    }

    @Test
    void a_time_beyond_the_year_3000_is_invalid() throws IOException {
        final Path log = Files.writeString(
                folder.resolve("late.swf"),
                "1 0 -1 9223372036854775807 4 -1 -1 4 200 -1 1 7 1 -1 1 -1 -1 -1\n"
                        + "2 1e300. -1 5 4 -1 -1 4 200 -1 1 7 1 -1 1 -1 -1 -1\n");

        assertThat(SwfReader.read(log).skipped())
                .containsExactly(
                        "line 1: job 1 has a time beyond the year 3000", "line 2: field 2 is '1e300.', not a number");
    }

    @Test
    void a_truncated_compressed_file_is_reported() throws IOException {
        final Path compressed = folder.resolve("cut.swf.gz");
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            Files.copy(SMALL, gzip);
        }
        final byte[] bytes = Files.readAllBytes(compressed);
        Files.write(compressed, Arrays.copyOf(bytes, bytes.length / 2));

        assertThatThrownBy(() -> SwfReader.read(compressed))
                .hasMessageContaining("cut.swf.gz' is not a complete gzip file");
        assertThatThrownBy(() -> SwfReader.read(folder)).hasMessageContaining("is a folder; specify a log in it");
    }

    @Test
    void an_empty_file_is_an_empty_trace() throws IOException {
        final SwfTrace trace = SwfReader.read(Files.createFile(folder.resolve("empty.swf")));

        assertThat(trace.jobs()).isEmpty();
        assertThat(trace.maxProcs()).isEmpty();
    }
}
