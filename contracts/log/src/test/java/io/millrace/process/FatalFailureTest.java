package io.millrace.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each case runs in a process of its own. */
class FatalFailureTest {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @ParameterizedTest
    @ValueSource(strings = {"platform", "virtual", "executor", "hidden", "stuck"})
    void the_death_of_any_thread_ends_the_process(final String thread) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(
                        JAVA.toString(), "-cp", System.getProperty("java.class.path"), Dying.class.getName(), thread)
                .redirectErrorStream(true)
                .redirectOutput(new File("/dev/null"))
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES))
                    .as("the process ended")
                    .isTrue();
            assertThat(process.exitValue()).isEqualTo(FatalFailure.EXIT_CODE);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A process with a main thread that would wait forever. */
    static final class Dying {

        private Dying() {}

        public static void main(final String[] args) throws InterruptedException {
            final Runnable exit = args[0].equals("stuck")
                    ? () -> {}
                    : () -> Thread.ofPlatform().start(() -> System.exit(FatalFailure.EXIT_CODE));
            Thread.setDefaultUncaughtExceptionHandler(new FatalFailure(exit, Duration.ofSeconds(1)));
            final Runnable work = () -> {
                throw new StackOverflowError();
            };
            switch (args[0]) {
                case "virtual" -> Thread.startVirtualThread(work);
                case "executor" -> Executors.newSingleThreadExecutor().execute(work);
                case "hidden" ->
                    Executors.newSingleThreadExecutor().submit(() -> FatalFailure.report(new AssertionError()));
                default -> Thread.ofPlatform().start(work);
            }
            new CountDownLatch(1).await();
        }
    }
}
