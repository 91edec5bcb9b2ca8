package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.model.UserName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Damages recorded text: random bytes, cuts, and lines of a megabyte. A reader must survive every form on a small stack, so that neither
 * the depth of a regular expression nor its backtracking depends on the text.
 */
public final class DamagedOutput {

    private static final int RANDOM_FORMS = 40;
    private static final int MEGABYTE = 1 << 20;
    private static final long SMALL_STACK = 256 * 1024;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String SPECIAL = "<>,\"[]{}():;=+-*/@#|\\&. \t\r\n\0";

    /** What a user can write into a name or a directory as often as they like. */
    private static final List<String> PIECES = List.of(
            "a", "1", " ", "\t", ",", "\"", "\\", "[", "(", "=", ":", "-", "+", "é", " = a", "a,", "1-2,", "\n ");

    private DamagedOutput() {}

    /** A runner that answers with damaged output. The standard error stays as recorded. */
    private record DamagingRunner(Function<List<String>, CommandResult> recorded, UnaryOperator<byte[]> damage)
            implements Runner {

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            final CommandResult result = recorded.apply(command.argv());
            return command.read(new CommandResult(result.exit(), damage.apply(result.output()), result.error()));
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    /**
     * Runs the reader with damaged output of its commands. About half of the outputs are damaged.
     *
     * @param recorded the undamaged result by command line
     * @param pieces further texts that fill a megabyte, such as the delimiters of the format
     */
    public static void survives(
            final Function<List<String>, CommandResult> recorded,
            final List<String> pieces,
            final Consumer<Runner> reader) {
        forms(pieces, form -> reader.accept(new DamagingRunner(recorded, form)));
    }

    /** Runs the reader with damaged forms of a text. */
    public static void survives(final String text, final List<String> pieces, final Consumer<String> reader) {
        final byte[] whole = text.getBytes(StandardCharsets.UTF_8);
        forms(pieces, form -> reader.accept(new String(form.apply(whole), StandardCharsets.UTF_8)));
    }

    /** Runs the reader with a text in which a piece, repeated up to a megabyte, is between two others. */
    public static void survives(
            final String before, final String piece, final String after, final Consumer<String> reader) {
        final String text = before + piece.repeat(MEGABYTE / piece.length()) + after;
        onSmallStack("a megabyte of '" + piece + "' after '" + before + "'", () -> reader.accept(text));
    }

    private static void forms(final List<String> pieces, final Consumer<UnaryOperator<byte[]>> read) {
        final long seed = seed();
        final Random random = new Random(seed);
        for (int form = 0; form < RANDOM_FORMS; form++) {
            onSmallStack(
                    "seed " + seed, () -> read.accept(whole -> random.nextBoolean() ? whole : damaged(whole, random)));
        }
        for (final List<String> texts : List.of(PIECES, pieces)) {
            for (final String piece : texts) {
                onSmallStack(
                        "a megabyte of '" + piece + "', seed " + seed,
                        () -> read.accept(whole -> random.nextBoolean() ? whole : withLongLine(whole, piece, random)));
            }
        }
    }

    /** As in {@code Sample}, which adapters do not have on their class paths. */
    private static long seed() {
        final String given = System.getenv("MILLRACE_TEST_SEED");
        return given == null ? 1 : Long.parseLong(given);
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

    private static byte[] withLongLine(final byte[] whole, final String piece, final Random random) {
        final int at = random.nextInt(whole.length + 1);
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(whole, 0, at);
        bytes.writeBytes(piece.repeat(MEGABYTE / piece.length()).getBytes(StandardCharsets.UTF_8));
        bytes.write(whole, at, whole.length - at);
        return bytes.toByteArray();
    }

    private static void onSmallStack(final String description, final Runnable task) {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread thread = new Thread(
                null,
                () -> {
                    try {
                        task.run();
                    } catch (final RuntimeException | Error e) {
                        failure.set(e);
                    }
                },
                "small stack",
                SMALL_STACK);
        thread.setDaemon(true);
        thread.start();
        try {
            if (!thread.join(LIMIT)) {
                fail("%s: still reading after %s at %s", description, LIMIT, Arrays.toString(thread.getStackTrace()));
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertThat(failure.get()).as(description).isNull();
    }
}
