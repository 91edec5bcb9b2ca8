package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.submit.TestData;
import io.millrace.submit.domain.handler.UsageFileSettings;
import io.millrace.submit.domain.handler.UsageFileSettings.Every;
import io.millrace.submit.domain.handler.UsageFileSettings.Format;
import io.millrace.submit.handlers.UsageFolder.Entry;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageFolderTest {

    private static final Instant EVENING = Instant.parse("2026-11-20T22:30:00Z");

    /** Also read by the simulator's tests. */
    private static final Path SWF = Path.of("src", "test", "resources", "usage.swf");

    @TempDir
    Path temporary;

    private UsageFileSettings settings(final String folder) {
        return new UsageFileSettings(
                temporary.resolve(folder), EnumSet.allOf(Format.class), Every.DAY, ZoneId.of("Europe/Berlin"));
    }

    private static RunEnded run(final int number, final String user, final Instant ended, final RunOutcome outcome) {
        return TestData.ended(
                TestData.key(TestData.ALPHA, number), user, number % 2 == 0 ? "physics" : null, ended, outcome);
    }

    private static Entry entry(final long offset, final RunEnded run) {
        return new Entry("millrace.job-ends.alpha", offset, run);
    }

    private static List<Entry> history(final int runs) {
        final List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            entries.add(entry(
                    i,
                    i % 7 == 3
                            ? null
                            : run(i + 1, "user" + i % 5, EVENING.plusSeconds(i * 600L), new RunOutcome.Exited(i % 2))));
        }
        return entries;
    }

    @Test
    void a_run_is_a_line_in_the_file_of_the_day_of_its_end() throws Exception {
        final UsageFileSettings settings = settings("usage");
        try (UsageFolder folder = UsageFolder.open(settings)) {
            folder.write(List.of(
                    entry(0, run(1, "anna", EVENING, new RunOutcome.Exited(0))),
                    entry(1, run(2, "bob", EVENING.plusSeconds(3600), new RunOutcome.TimedOut())),
                    entry(2, run(3, "anna", EVENING.plusSeconds(3600), new RunOutcome.Requeued()))));
        }

        assertThat(text(settings, "usage-2026-11-20.csv")).isEqualTo("""
                cluster,localJobId,submittedAt,run,globalJob,attempt,name,user,project,partition,cores,nodes,memoryMib,gpus,walltimeSeconds,\
                startedAt,endedAt,elapsedSeconds,coreSeconds,lostCoreSeconds,outcome,exitCodeOrSignal,source\r
                alpha,1,2026-03-01T12:00:01Z,1,,,"a ""b"", c",anna,,main,4,1,2048,0,3600,\
                2026-11-20T22:20:00Z,2026-11-20T22:30:00Z,600,2400,0,exited,0,sacct\r
                """);
        assertThat(text(settings, "usage-2026-11-21.swf")).isEqualTo(Files.readString(SWF));
    }

    @Test
    @Attack("reads what other users of the machine used, in the usage files")
    void only_the_service_and_its_group_read_the_files() throws Exception {
        final UsageFileSettings settings = settings("usage");
        try (UsageFolder folder = UsageFolder.open(settings)) {
            folder.write(List.of(entry(0, run(1, "anna", EVENING, new RunOutcome.Exited(0)))));
            Files.setPosixFilePermissions(
                    settings.folder().resolve("usage-2026-11-20.csv"), PosixFilePermissions.fromString("rw-r--r--"));
            folder.write(List.of(entry(1, run(2, "anna", EVENING, new RunOutcome.Exited(0)))));
        }
        for (final String file : List.of("usage-2026-11-20.csv", "usage-2026-11-20.swf")) {
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(settings.folder().resolve(file))))
                    .isEqualTo("rw-r-----");
        }
        assertThat(Files.getPosixFilePermissions(settings.folder().resolve(".position.json")))
                .doesNotContain(PosixFilePermission.OTHERS_READ);
    }

    @Test
    void a_repeated_record_is_written_once() throws Exception {
        final List<Entry> entries = history(20);
        final UsageFileSettings settings = settings("usage");
        try (UsageFolder folder = UsageFolder.open(settings)) {
            folder.write(entries.subList(0, 12));
            folder.write(entries.subList(5, 20));
        }
        try (UsageFolder folder = UsageFolder.open(settings)) {
            assertThat(folder.write(entries)).isZero();
            assertThat(folder.next()).containsEntry("millrace.job-ends.alpha", 20L);
        }

        assertThat(files(settings)).isEqualTo(files(writtenAtOnce(entries)));
    }

    /** Crashes after any byte of any batch, before the position is stored: partial lines, whole lines, and new files. */
    @Test
    void a_crash_at_any_point_neither_loses_nor_duplicates_a_line() throws Exception {
        final List<Entry> entries = history(24);
        final var expected = files(writtenAtOnce(entries));
        final long seed = 20261121;
        final Random chance = new Random(seed);

        for (int world = 0; world < 4; world++) {
            final UsageFileSettings settings = settings("crash" + world);
            int next = 0;
            while (next < entries.size()) {
                final int until = Math.min(entries.size(), next + 1 + chance.nextInt(9));
                try (UsageFolder folder = UsageFolder.open(settings)) {
                    crash(settings, chance);
                    if (chance.nextBoolean()) {
                        continue; // restart without a write
                    }
                    folder.write(entries.subList(0, until));
                    next = until;
                }
                crash(settings, chance);
            }
            UsageFolder.open(settings).close();
            assertThat(files(settings)).as("seed %d, world %d", seed, world).isEqualTo(expected);
        }
    }

    private static void crash(final UsageFileSettings settings, final Random chance) throws IOException {
        for (final String name : files(settings).keySet()) {
            if (chance.nextBoolean()) {
                Files.writeString(
                        settings.folder().resolve(name),
                        "alpha,99,half a li".substring(0, 1 + chance.nextInt(17)),
                        StandardOpenOption.APPEND);
            }
        }
    }

    private UsageFileSettings writtenAtOnce(final List<Entry> entries) throws IOException {
        final UsageFileSettings settings = settings("expected");
        try (UsageFolder folder = UsageFolder.open(settings)) {
            folder.write(entries);
        }
        return settings;
    }

    @Test
    void a_folder_has_one_writer() throws Exception {
        final UsageFileSettings settings = settings("usage");
        try (UsageFolder folder = UsageFolder.open(settings)) {
            assertThat(folder.next()).isEmpty();
            assertThatThrownBy(() -> UsageFolder.open(settings)).hasMessageContaining("locked by another instance");
        }
        UsageFolder.open(settings).close();
    }

    @Test
    void a_folder_without_position_file_is_refused() throws Exception {
        final UsageFileSettings settings = writtenAtOnce(history(3));
        Files.delete(settings.folder().resolve(".position.json"));

        assertThatThrownBy(() -> UsageFolder.open(settings)).hasMessageContaining("configure an empty folder");
    }

    @Test
    void a_truncated_file_is_refused() throws Exception {
        final UsageFileSettings settings = writtenAtOnce(history(3));
        Files.writeString(settings.folder().resolve("usage-2026-11-20.csv"), "");

        assertThatThrownBy(() -> UsageFolder.open(settings)).hasMessageContaining("so it was modified");
    }

    @Test
    void a_moved_file_is_created_again_for_a_late_run() throws Exception {
        final UsageFileSettings settings = writtenAtOnce(history(3));
        Files.delete(settings.folder().resolve("usage-2026-11-20.csv"));
        try (UsageFolder folder = UsageFolder.open(settings)) {
            folder.write(List.of(entry(50, run(50, "anna", EVENING, new RunOutcome.Exited(0)))));
        }

        assertThat(text(settings, "usage-2026-11-20.csv").lines()).hasSize(2);
    }

    private static String text(final UsageFileSettings settings, final String name) throws IOException {
        return Files.readString(settings.folder().resolve(name));
    }

    /** The content of each file by name. */
    private static TreeMap<String, String> files(final UsageFileSettings settings) throws IOException {
        final TreeMap<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(settings.folder())) {
            all.filter(file -> file.getFileName().toString().startsWith("usage-"))
                    .forEach(file -> {
                        try {
                            files.put(file.getFileName().toString(), Files.readString(file));
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
        return files;
    }
}
