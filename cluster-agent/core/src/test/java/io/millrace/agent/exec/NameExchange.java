package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of a user that exchanges what two paths name, without end and in one step each time (renameat2(2)). So a path is a folder of the
 * user in one moment and a link in the next, and whoever checks it first and uses it then is deceived about every second time.
 */
public final class NameExchange implements AutoCloseable {

    /** The pause lets a checked path stay as it is for one or for several system calls of the program that is attacked. */
    private static final String PROGRAM = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        static volatile sig_atomic_t over;
        static void end(int signal) { over = signal; }
        int main(int argc, char **argv)
        {
            unsigned long exchanged = 0;
            signal(SIGTERM, end);
            while (!over) {
                exchanged += renameat2(AT_FDCWD, argv[1], AT_FDCWD, argv[argc - 1], RENAME_EXCHANGE) == 0;
                usleep((useconds_t)(rand() % 400));
            }
            printf("%lu", exchanged);
            return 0;
        }
        """;

    private final Process process;

    private NameExchange(final Process process) {
        this.process = process;
    }

    /**
     * @param bin folder for the program, which the user may enter
     * @param user the user's name or uid
     */
    public static NameExchange start(final Path bin, final String user, final Path one, final Path other)
            throws Exception {
        assumeTrue(new Accounts().own().uid() == 0, "needs root");
        final Path program = bin.resolve("exchange");
        if (!Files.exists(program)) {
            final Path source = Files.writeString(bin.resolve("exchange.c"), PROGRAM);
            assertThat(new ProcessBuilder("gcc", "-O", "-o", program.toString(), source.toString())
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
        }
        final List<String> argv = new ArrayList<>(
                List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups", "--", program.toString()));
        argv.addAll(List.of(one.toString(), other.toString()));
        return new NameExchange(new ProcessBuilder(argv)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Ends it; returns how many times it has exchanged the names. */
    public long stop() throws Exception {
        process.toHandle().destroy(); // destroy() of the process would close its output, too
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        process.waitFor();
        return Long.parseLong(text);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
