package io.millrace.agent.exec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/**
 * What the helper costs for each program of an owner, beyond sudo: both start {@code true} as the same user, in turns. The exit code is 1 if the
 * median is above the limit.
 *
 * <p>Argument: starts of each kind.
 */
public final class HelperCost {

    private static final int WARM_UP = 20;
    private static final double LIMIT_MS = 5;

    private HelperCost() {}

    /** Runs the measurement and prints its figures. */
    public static void main(final String... args) throws Exception {
        final int count = Integer.parseInt(args[0]);
        final double cost_ms;
        HelperIT.folder = Files.createTempDirectory("helper-cost");
        try {
            HelperIT.build();
            Files.copy(
                    Path.of("/bin/true").toRealPath(),
                    HelperIT.folder.resolve("sbatch"),
                    StandardCopyOption.REPLACE_EXISTING);
            cost_ms = measure(count);
        } finally {
            HelperIT.removeAccounts();
        }
        if (cost_ms > LIMIT_MS) {
            System.err.printf("the helper costs more than %.0f ms beyond sudo%n", LIMIT_MS);
            System.exit(1);
        }
    }

    /** Milliseconds of the helper beyond sudo. */
    private static double measure(final int count) throws IOException, InterruptedException {
        final Path request = HelperIT.folder.resolve("request");
        Files.write(request, HelperIT.request(Authority.Kind.SUBMIT, HelperIT.signed(), "sbatch", "--hold"));
        Files.writeString(request, HelperIT.script(HelperIT.run.toString()), StandardOpenOption.APPEND);
        final List<String> direct =
                List.of("sudo", "-n", "-u", HelperProgram.OWNER, "--", "/usr/bin/env", "-i", "/bin/true");
        final List<String> helper = List.of(
                "sudo",
                "-n",
                "--",
                HelperIT.folder.resolve("src/millrace-become").toString());
        final double[] directly = new double[count];
        final double[] byHelper = new double[count];
        for (int i = -WARM_UP; i < count; i++) {
            final double first = run(direct, request);
            final double second = run(helper, request);
            if (i >= 0) {
                directly[i] = first;
                byHelper[i] = second;
            }
        }
        final double sudo = median(directly);
        final double become = median(byHelper);
        System.out.printf(
                "a program of an owner: sudo and env %.1f ms, sudo and the helper %.1f ms, %.1f ms more (medians of"
                        + " %d)%n",
                sudo, become, become - sudo, count);
        return become - sudo;
    }

    /** Milliseconds from the start of the program to its end. */
    private static double run(final List<String> argv, final Path input) throws IOException, InterruptedException {
        final long begin = System.nanoTime();
        final int exit = new ProcessBuilder(argv)
                .redirectInput(input.toFile())
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException(argv + " ended with " + exit);
        }
        return (System.nanoTime() - begin) / 1e6;
    }

    private static double median(final double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
