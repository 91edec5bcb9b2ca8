package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.text.Terminal;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(600)
class MgholdTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);

    @TempDir
    Path home;

    @Test
    void jobs_are_held_with_the_reason_and_released() throws Exception {
        try (FakeApi api = new FakeApi(home)
                .answer("/jobs", "{\"jobs\":[{\"id\":\"01B\"}]}")
                .answer("/jobs/01A/hold", "{}")
                .answer("/jobs/01B/release", "{}")) {
            final Mghold hold = new Mghold(PIPE);
            new CommandLine(hold).parseArgs("01A", "--reason", "input is incomplete");
            final Mgrelease release = new Mgrelease(PIPE);
            new CommandLine(release).parseArgs("-s", "held", "--yes");

            assertThat(hold.run(api.client())).isZero();
            assertThat(release.run(api.client())).isZero();
            assertThat(api.requests())
                    .containsExactly(
                            "POST /jobs/01A/hold {\"reason\":\"input is incomplete\"}",
                            "GET /jobs?limit=500&state=held",
                            "POST /jobs/01B/release {}");
        }
    }
}
