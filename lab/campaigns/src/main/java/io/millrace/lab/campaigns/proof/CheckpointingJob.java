package io.millrace.lab.campaigns.proof;

import io.millrace.story.Texts;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A computation in steps of one second each. It writes a checkpoint on {@code USR1} and every {@value #EVERY} steps. It records each step
 * and each segment, which shows the steps that ran twice.
 */
record CheckpointingJob(Path directory, int steps) {

    /** Steps between two periodic checkpoints. */
    static final int EVERY = 20;

    static final String MARKER = "saved";

    private static final long FACTOR = 1_103_515_245;
    private static final long ADDEND = 12_345;
    private static final long MODULUS = 1L << 31;

    String script() {
        return """
            #!/bin/sh
            step=0 x=1 requested=
            if [ -e state ]; then read -r step x <state; fi
            echo "segment ${MILLRACE_RESTART:-0}" >>work
            trap 'requested=1' USR1
            while [ "$step" -lt %1$d ]; do
                sleep 1
                x=$(((x * %2$d + %3$d) %% %4$d))
                step=$((step + 1))
                echo "$step" >>work
                if [ -n "$requested" ] || [ $((step %% %5$d)) -eq 0 ]; then
                    echo "$step $x" >state.new && mv state.new state
                    if [ -n "$requested" ]; then echo "$step" >%6$s.new && mv %6$s.new %6$s; fi
                    requested=
                fi
            done
            echo "$step $x" >result
            """.formatted(steps, FACTOR, ADDEND, MODULUS, EVERY, MARKER);
    }

    /** The result of an uninterrupted run. */
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

    /** The segments, each by the restart count in the job's environment. */
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
