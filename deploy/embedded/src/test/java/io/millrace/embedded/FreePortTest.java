package io.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortTest {
    private static final int COUNT = 300;

    /** Prints the ports that it chose, and keeps them until its input ends. */
    public static void main(String... args) throws IOException {
        for (int i = 0; i < COUNT; i++) {
            System.out.println(FreePort.orWanted(0));
        }
        System.out.println("done");
        System.in.read();
    }

    @Test
    void processes_that_choose_at_the_same_time_never_choose_the_same_port() throws Exception {
        List<Process> processes = List.of(process(), process());
        try {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                ports.add(FreePort.orWanted(0));
            }
            for (Process process : processes) {
                process.inputReader()
                        .lines()
                        .takeWhile(line -> !line.equals("done"))
                        .map(Integer::parseInt)
                        .forEach(ports::add);
            }
            assertThat(ports).hasSize(3 * COUNT).doesNotHaveDuplicates();
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static Process process() throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        FreePortTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
