package io.millrace.agent.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.history.ImportCounts.Kind;
import io.millrace.log.ModelJson;
import io.millrace.model.cluster.RunEnded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever an accounting file contains: each line is counted once, no run has a negative length, and the history has as many core-seconds
 * as the file.
 */
class RandomAccountingTest {

    private static final int SEEDS = 5;
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant ORDINARY = Instant.parse("2026-03-01T09:00:00Z");
    private static final Instant END_OF_SUMMER_TIME = Instant.parse("2026-10-25T01:00:00Z");

    @TempDir
    Path folder;

    private record Imported(String summary, String messages, List<RunEnded> runs) {

        long count(final String what) {
            final Matcher found = Pattern.compile("(\\d+) " + what).matcher(summary);
            assertThat(found.find()).as(summary).isTrue();
            return Long.parseLong(found.group(1));
        }
    }

    private Imported imported(final AccountingFormat format, final RandomAccounting file, final long seed)
            throws IOException {
        final Path log = Files.writeString(folder.resolve("log"), file.text());
        final Path history = folder.resolve("history-" + seed + ".jsonl");
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final ByteArrayOutputStream err = new ByteArrayOutputStream();
        final int exit = Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                "import",
                "--format=" + format,
                "--cluster=alpha",
                "--zone=" + BERLIN,
                "--out=" + history,
                log.toString());
        assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isZero();
        final List<RunEnded> runs = new ArrayList<>();
        for (final String line : Files.readAllLines(history)) {
            runs.add(ModelJson.strict().readValue(line, RunEnded.class));
        }
        return new Imported(out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8), runs);
    }

    @ParameterizedTest
    @EnumSource
    void every_line_counts_once_and_no_core_second_is_lost(final AccountingFormat format) throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            final RandomAccounting file = RandomAccounting.of(format, BERLIN, seed, ORDINARY);
            final Imported imported = imported(format, file, seed);
            final String where = "seed " + seed + ": " + imported.summary;
            assertThat(imported.count("lines read")).as(where).isEqualTo(file.size());
            assertThat(imported.count("runs added")).as(where).isEqualTo(file.of(Kind.ADDED));
            assertThat(imported.count("already known")).as(where).isEqualTo(file.of(Kind.KNOWN));
            assertThat(imported.count("jobs never started")).as(where).isEqualTo(file.of(Kind.NEVER_STARTED));
            assertThat(imported.count("malformed lines")).as(where).isEqualTo(file.of(Kind.MALFORMED));
            assertThat(imported.count("header lines")).as(where).isEqualTo(file.of(Kind.HEADER));
            assertThat(imported.count("lines without")).as(where).isEqualTo(file.of(Kind.DETAIL));
            assertThat(lineNumbers(imported.messages)).as(where).isEqualTo(file.malformedLines());
            assertThat(imported.runs.stream().mapToLong(RunEnded::coreSeconds).sum())
                    .as(where)
                    .isEqualTo(file.coreSeconds());
            assertThat(imported.runs).as(where).allMatch(run -> !run.endedAt().isBefore(run.startedAt()));
            assertThat(imported.runs.stream()
                            .filter(run -> run.owner().value().equals("_"))
                            .count())
                    .as(where)
                    .isEqualTo(reportedWithoutUser(imported.messages));
        }
    }

    @ParameterizedTest
    @EnumSource
    void at_the_end_of_summer_time_no_run_is_negative_or_lost(final AccountingFormat format) throws IOException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            final Instant start = END_OF_SUMMER_TIME.minus(Duration.ofHours(12)).plusSeconds(seed * 600);
            final RandomAccounting file = RandomAccounting.of(format, BERLIN, seed, start);
            final Imported imported = imported(format, file, seed);
            final String where = "seed " + seed + ": " + imported.summary;
            assertThat(imported.count("malformed lines")).as(where).isEqualTo(file.of(Kind.MALFORMED));
            assertThat(imported.count("runs added")).as(where).isEqualTo(file.of(Kind.ADDED));
            assertThat(imported.runs).as(where).allMatch(run -> !run.endedAt().isBefore(run.startedAt()));
        }
    }

    private static List<Integer> lineNumbers(final String messages) {
        return Pattern.compile("log:(\\d+): ")
                .matcher(messages)
                .results()
                .map((final MatchResult found) -> Integer.valueOf(found.group(1)))
                .toList();
    }

    private static long reportedWithoutUser(final String messages) {
        final Matcher found = Pattern.compile(": (\\d+) runs have no user").matcher(messages);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
