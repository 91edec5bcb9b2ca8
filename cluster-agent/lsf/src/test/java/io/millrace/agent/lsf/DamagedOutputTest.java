package io.millrace.agent.lsf;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfFeatures.ColumnFormat;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.command.LsfVersion;
import io.millrace.agent.lsf.command.VersionQuery;
import io.millrace.agent.lsf.history.AccountingQuery;
import io.millrace.agent.lsf.history.HistoryQuery;
import io.millrace.agent.lsf.history.RunHistory;
import io.millrace.agent.lsf.query.ArrayLimitQuery;
import io.millrace.agent.lsf.query.ColumnQuery;
import io.millrace.agent.lsf.query.DependencyQuery;
import io.millrace.agent.lsf.query.GpuQuery;
import io.millrace.agent.lsf.query.HostGroupQuery;
import io.millrace.agent.lsf.query.HostHardwareQuery;
import io.millrace.agent.lsf.query.HostQuery;
import io.millrace.agent.lsf.query.JobHeading;
import io.millrace.agent.lsf.query.JobQuery;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.lsf.query.ParamsQuery;
import io.millrace.agent.lsf.query.QueueQuery;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Every parser of LSF output survives any text: random bytes, damaged recordings, lines of a megabyte. It runs on a small stack. */
class DamagedOutputTest {

    private static final LsfSite SITE = LsfSite.of(ClusterId.of("lava"), Path.of("/nowhere"));
    private static final LsfVersion LAVA = new LsfVersion("openlava", "4.0.0");
    private static final Instant NOW = Instant.parse("2026-11-20T14:00:00Z");
    private static final int MEGABYTE = 1 << 20;
    private static final String SPECIAL = "<>,\"[]{}: \n";
    private static final long SMALL_STACK = 256 * 1024;

    /** What the owner of a job can write as often as it likes. */
    private static final List<String> REPEATED =
            List.of("a", "\"\"", "<", ">, User <x", ">, Status <RUN>, ", "done(1)&&", "[1]", " ", "é");

    private static final Map<CommandLine<?>, String> PARSERS = new LinkedHashMap<>();

    static {
        PARSERS.put(new JobQuery(SITE, true, List.of()), "040-bjobs-UF");
        PARSERS.put(new JobQuery(SITE, false, List.of()), "039-bjobs-all-a-l");
        for (final ColumnFormat format : ColumnFormat.values()) {
            PARSERS.put(new ColumnQuery(SITE, new LsfFeatures(LAVA, true, format), List.of()), "037-bjobs-all-w");
        }
        PARSERS.put(new ArrayLimitQuery(SITE), "049-bjobs-A");
        PARSERS.put(new DependencyQuery(SITE, false, "1", "done(2)"), "083-bjdep");
        PARSERS.put(new DependencyQuery(SITE, true, "1", "done(2)"), "083-bjdep");
        PARSERS.put(new QueueQuery(SITE), "064-bqueues-l");
        PARSERS.put(new HostQuery(SITE), "068-bhosts-w");
        PARSERS.put(new HostHardwareQuery(SITE), "071-lshosts");
        PARSERS.put(new HostGroupQuery(SITE), "068-bhosts-w");
        PARSERS.put(new GpuQuery(SITE), "068-bhosts-w");
        PARSERS.put(new ParamsQuery(SITE), "075-bparams-l");
        PARSERS.put(new VersionQuery(SITE), "001-version");
        PARSERS.put(new HistoryQuery(SITE, List.of(), false), "079-bhist-all-a-l");
        PARSERS.put(new AccountingQuery(SITE, Path.of("/logs"), "x"), "190-lsb-acct");
    }

    @Test
    void damaged_output_is_read_or_is_trouble_but_never_an_error() {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        PARSERS.forEach((parser, recording) -> {
            final byte[] whole = Recording.of(recording).result().output();
            for (int run = 0; run < 40; run++) {
                read(parser, damaged(whole, random), "seed " + seed + ", " + parser);
            }
        });
    }

    @Test
    void a_line_of_a_megabyte_is_read_on_a_small_stack() {
        PARSERS.forEach((parser, recording) -> {
            final byte[] whole = Recording.of(recording).result().output();
            for (final String part : REPEATED) {
                read(parser, withLongLine(whole, part), parser + " with '" + part + "'");
            }
        });
    }

    private static byte[] damaged(final byte[] whole, final Random random) {
        final byte[] bytes = whole.clone();
        for (int change = random.nextInt(1, 60); change > 0 && bytes.length > 0; change--) {
            bytes[random.nextInt(bytes.length)] = (byte)
                    (random.nextBoolean() ? random.nextInt(256) : SPECIAL.charAt(random.nextInt(SPECIAL.length())));
        }
        final int from = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : 0;
        final int to = random.nextInt(4) == 0 ? random.nextInt(from, bytes.length + 1) : bytes.length;
        return Arrays.copyOfRange(bytes, from, to);
    }

    /** The text with a megabyte inserted in the middle of a line in its first half. */
    private static byte[] withLongLine(final byte[] whole, final String part) {
        final int at = whole.length / 3;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(whole, 0, at);
        bytes.writeBytes(part.repeat(MEGABYTE / part.length()).getBytes(StandardCharsets.UTF_8));
        bytes.write(whole, at, whole.length - at);
        return bytes.toByteArray();
    }

    private static void read(final CommandLine<?> parser, final byte[] output, final String description) {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread thread = new Thread(
                null,
                () -> {
                    try {
                        if (parser.read(new CommandResult(0, output, new byte[0])) instanceof Answer.Ok<?> ok
                                && ok.value() instanceof List<?> list) {
                            list.forEach(DamagedOutputTest::readJob);
                        }
                    } catch (final RuntimeException | Error e) {
                        failure.set(e);
                    }
                },
                "small stack",
                SMALL_STACK);
        thread.start();
        try {
            thread.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertThat(failure.get()).as(description).isNull();
    }

    private static void readJob(final Object element) {
        if (element instanceof LongFormat.Job job) {
            JobHeading.read(job.heading())
                    .flatMap(heading -> ListedJob.of(job, heading, NOW))
                    .ifPresent(ListedJob::attempt);
            RunHistory.read(job, null, NOW);
        }
    }
}
