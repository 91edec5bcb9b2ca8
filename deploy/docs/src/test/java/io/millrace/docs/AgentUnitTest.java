package io.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The systemd unit of the agents. */
class AgentUnitTest {

    private static final Path UNIT = SourceTree.ROOT.resolve("deploy/agent/millrace-agent@.service");

    /** When an instance stops, systemd removes its runtime directory; a shared one would contain the sockets of the others. */
    @Test
    void every_folder_of_an_instance_is_its_own() throws IOException {
        final List<String> folders = Files.readAllLines(UNIT).stream()
                .filter(line -> line.matches("(Runtime|State|Cache|Logs)Directory=.*"))
                .flatMap(line -> Arrays.stream(line.replaceFirst(".*?=", "").split(" ")))
                .toList();
        assertThat(folders).contains("millrace/%i").allMatch(folder -> folder.contains("%i"));
    }
}
