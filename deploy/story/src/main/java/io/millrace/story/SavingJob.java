package io.millrace.story;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A computation of so many steps, a second each, that saves itself when it is asked by {@code USR1}, and every {@value #EVERY} steps. It notes
 * each step and each segment, so that whoever reads that can tell what was done twice.
 */
record SavingJob(Path directory, int steps) {

    /** Steps between two of its own checkpoints. */
    static final int EVERY = 20;

    static final String MARKER = "saved";

    private static final long FACTOR = 1_103_515_245;
    private static final long ADDEND = 12_345;
    private static final long MODULUS = 1L << 31;

    String script() {
        return """
            #!/bin/sh
            step=0 x=1 asked=
            if [ -e state ]; then read -r step x <state; fi
            echo "segment ${MILLRACE_RESTART:-0}" >>work
            trap 'asked=1' USR1
            while [ "$step" -lt %1$d ]; do
                sleep 1
                x=$(((x * %2$d + %3$d) %% %4$d))
                step=$((step + 1))
                echo "$step" >>work
                if [ -n "$asked" ] || [ $((step %% %5$d)) -eq 0 ]; then
                    echo "$step $x" >state.new && mv state.new state
                    if [ -n "$asked" ]; then echo "$step" >%6$s.new && mv %6$s.new %6$s; fi
                    asked=
                fi
            done
            echo "$step $x" >result
            """.formatted(steps, FACTOR, ADDEND, MODULUS, EVERY, MARKER);
    }

    /** What an uninterrupted run writes. */
    String expected() {
        long x = 1;
        for (int step = 0; step < steps; step++) {
            x = (x * FACTOR + ADDEND) % MODULUS;
        }
        return steps + " " + x;
    }

    String result() {
        return Texts.readIfThere(directory.resolve("result"));
    }

    /** By number of restarts, as it was told. */
    List<String> segments() {
        return work().filter(line -> line.startsWith("segment "))
                .map(line -> line.substring("segment ".length()))
                .toList();
    }

    long stepsDoneTwice() {
        final List<String> done =
                work().filter(line -> !line.startsWith("segment ")).toList();
        return done.size() - done.stream().distinct().count();
    }

    private Stream<String> work() {
        return Arrays.stream(Texts.readIfThere(directory.resolve("work")).split("\n"))
                .filter(line -> !line.isBlank());
    }
}
