package io.millrace.agent.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.ModelJson;
import io.millrace.model.cluster.RunEnded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The command {@code history import}. */
class ImportHistoryTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(final String... args) {
        out.reset();
        err.reset();
        final List<String> all = new ArrayList<>(List.of("import", "--cluster", "alpha", "--zone", "UTC"));
        all.addAll(Arrays.asList(args));
        return Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                all.toArray(String[]::new));
    }

    private int imported(final AccountingFormat format, final Path file) {
        return run("--format", format.toString(), "--out", history().toString(), file.toString());
    }

    private Path history() {
        return folder.resolve("history.jsonl");
    }

    private Path file(final String text) throws IOException {
        return Files.writeString(folder.resolve("accounting"), text);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(history());
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8).replaceFirst("in \\d+\\.\\d s", "in T");
    }

    @ParameterizedTest
    @EnumSource
    void a_second_import_of_any_format_adds_nothing(final AccountingFormat format) throws IOException {
        final Path file = file(Samples.text(format));
        assertThat(imported(format, file)).isZero();
        final List<String> first = lines();
        assertThat(first).isNotEmpty().doesNotHaveDuplicates();
        assertThat(imported(format, file)).isZero();
        assertThat(lines()).isEqualTo(first);
        assertThat(said()).contains(" 0 runs added (0.00 core-hours), " + first.size() + " already known");
    }

    @Test
    void memory_per_slot_is_an_option_of_lsf_only() throws IOException {
        final Path lsf = file(Samples.text(AccountingFormat.LSF));
        assertThat(run(
                        "--format",
                        "lsf",
                        "--memory-per-slot",
                        "--out",
                        history().toString(),
                        lsf.toString()))
                .isZero();
        assertThat(run(
                        "--format",
                        "pbs",
                        "--memory-per-slot",
                        "--out",
                        history().toString(),
                        lsf.toString()))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--memory-per-slot is an option of format lsf only");
    }

    @Test
    void every_line_is_an_ended_run_in_the_format_of_the_log() throws IOException {
        imported(AccountingFormat.SLURM, file(Samples.text(AccountingFormat.SLURM)));
        final RunEnded first = ModelJson.strict().readValue(lines().getFirst(), RunEnded.class);
        assertThat(first.job()).hasToString("alpha/101@2026-03-01T09:00:00Z");
        assertThat(first.owner()).hasToString("anna");
        assertThat(said())
                .isEqualTo("7 lines read in T: 3 runs added (8.53 core-hours), 0 already known, 1 jobs never started,"
                        + " 0 malformed lines skipped, 1 header lines, 2 lines without the end of a run\n");
    }

    @Test
    void malformed_lines_are_reported_with_their_numbers_and_skipped() throws IOException {
        final Path file =
                file("1 0 0 10 1 1 1 1 60 -1 1 1 1 1 1 1 -1 -1\nnonsense\n3 0 0 10\n4 0 0 10 1 1 1 1 60 -1 1 1 1 1 1"
                        + " 1 -1 -1\n");
        assertThat(imported(AccountingFormat.SWF, file)).isZero();
        assertThat(lines()).hasSize(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(file + ":2: ")
                .contains(file + ":3: 4 fields instead of 18");
        assertThat(said()).contains("2 malformed lines skipped");
    }

    @Test
    void the_rest_of_a_line_that_is_too_long_is_not_read_as_another_line() throws IOException {
        final Path file = file("1 " + "0 ".repeat(1 << 20) + "\n");
        assertThat(imported(AccountingFormat.SWF, file)).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(file + ":1: longer than 1 MiB");
        assertThat(said()).contains("0 runs added").contains("1 malformed");
    }

    @Test
    void a_line_that_a_crash_cut_off_is_imported_again() throws IOException {
        final Path file = file(Samples.text(AccountingFormat.PBS));
        imported(AccountingFormat.PBS, file);
        final List<String> whole = lines();
        final byte[] bytes = Files.readAllBytes(history());
        Files.write(history(), Arrays.copyOf(bytes, bytes.length - 20));
        assertThat(imported(AccountingFormat.PBS, file)).isZero();
        assertThat(lines()).isEqualTo(whole);
    }

    @Test
    void a_compressed_file_is_read() throws IOException {
        final Path file = folder.resolve("log.gz");
        try (GZIPOutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
            packed.write(Samples.text(AccountingFormat.CLEO).getBytes(StandardCharsets.UTF_8));
        }
        assertThat(imported(AccountingFormat.CLEO, file)).isZero();
        assertThat(lines()).hasSize(2);
    }

    @Test
    void an_incomplete_compressed_file_is_an_error_that_names_the_line() throws IOException {
        final ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
            stream.write(Samples.text(AccountingFormat.CLEO).repeat(50).getBytes(StandardCharsets.UTF_8));
        }
        final Path file = Files.write(folder.resolve("log.gz"), Arrays.copyOf(packed.toByteArray(), packed.size() / 2));
        assertThat(imported(AccountingFormat.CLEO, file)).isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("log.gz' is damaged after line ");
        assertThat(lines()).isNotEmpty();
    }

    @Test
    void a_history_file_with_other_content_is_not_overwritten() throws IOException {
        Files.writeString(history(), "my notes\n", StandardOpenOption.CREATE);
        assertThat(imported(AccountingFormat.SWF, file(Samples.text(AccountingFormat.SWF))))
                .isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("line 1 of").contains("is not an ended run");
        assertThat(lines()).containsExactly("my notes");
    }

    @Test
    void a_missing_file_is_named() {
        assertThat(imported(AccountingFormat.SWF, folder.resolve("absent"))).isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("absent' not found");
    }

    @Test
    void the_index_grows_with_the_history() throws IOException {
        final int jobs = 40_000; // more than half of the first table
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < jobs; i++) {
            text.append(i).append(" 0 0 10 1 1 1 1 60 -1 1 1 1 1 1 1 -1 -1\n");
        }
        final Path file = file(text.toString());
        imported(AccountingFormat.SWF, file);
        imported(AccountingFormat.SWF, file);
        assertThat(said()).contains(" 0 runs added (0.00 core-hours), " + jobs + " already known");
    }
}
