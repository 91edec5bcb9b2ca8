package io.millrace.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent reads from the files of a session. */
class SessionTest {

    @TempDir
    private Path folder;

    private Session session;

    @BeforeEach
    void a_session() {
        session = new Session(folder);
    }

    @Test
    void an_end_counts_only_when_its_line_is_complete() throws IOException {
        Files.writeString(folder.resolve("exit"), "");
        assertThat(session.exit()).isEmpty();

        Files.writeString(folder.resolve("exit"), "0 1700000000.000001 1700000003.0");
        assertThat(session.exit()).isEmpty();

        Files.writeString(folder.resolve("exit"), "0 1700000000.000001 1700000003.000002 no\n");
        assertThat(session.exit()).contains(new Session.Exit(0, 1_700_000_000_000_001L, 1_700_000_003_000_002L, false));
    }

    @Test
    void a_start_counts_only_when_its_line_is_complete() throws IOException {
        Files.writeString(folder.resolve("start"), "12");
        assertThat(session.hasStarted()).isFalse();

        Files.writeString(folder.resolve("start"), "123 4567 0ec4 1700000000.000001\n");
        assertThat(session.hasStarted()).isTrue();
    }

    @Test
    void a_session_is_claimed_once() {
        assertThat(session.claim()).isTrue();
        assertThat(session.claim()).isFalse();
    }
}
