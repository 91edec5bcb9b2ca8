package io.millrace.agent.torque;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Transcript;
import io.millrace.model.UserName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fake behaves like the server from which the output was recorded. */
final class FakeTorqueIT {

    private final Accounts accounts = new Accounts();
    private FakeTorque manager;
    private FakeTorque alice;

    @BeforeEach
    void open(@TempDir final Path folder) throws java.io.IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        final Account owner = accounts.own().uid() == 0
                ? accounts.named(UserName.of("nobody")).orElseThrow()
                : accounts.own();
        manager = new FakeTorque(folder, accounts, false);
        alice = manager.as(owner.name());
    }

    @AfterEach
    void close() {
        manager.close();
    }

    private String submitted(final String... words) {
        return alice.answer(
                        Stream.concat(Stream.of("qsub"), Stream.of(words)).toList(),
                        "#!/bin/sh\nsleep 600\n".getBytes(StandardCharsets.UTF_8),
                        "/tmp",
                        Map.of())
                .outputText()
                .strip();
    }

    private static void same(final CommandResult answer, final String number) {
        final Transcript recorded = RecordedOutput.of(number);
        assertThat(answer.exit())
                .as(recorded.file())
                .isEqualTo(recorded.result().exit());
        assertThat(plain(answer.errorText()))
                .as(recorded.file())
                .isEqualTo(plain(recorded.result().errorText()));
    }

    private static String plain(final String text) {
        return text.replaceAll("\\b\\d+(\\[\\d*])?\\.vm\\b", "ID").replaceAll("job id: \\d+", "job id: ID");
    }

    /** Names of attributes in order, except resources, whose order varies, and the scheduler's comment. */
    private static List<String> names(final String output) {
        return output.lines()
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.startsWith("    ") && line.contains(" = "))
                .map(line -> line.strip().split(" = ")[0])
                .filter(name -> !name.startsWith("Resource_List") && !name.startsWith("resources_used"))
                .filter(name -> !List.of("comment", "Account_Name", "Walltime.Remaining")
                        .contains(name))
                .toList();
    }

    @Test
    void jobs_have_the_recorded_attributes() throws InterruptedException {
        final String id = submitted("-N", "waiting_job", "-l", "nodes=1:ppn=2");
        assertThat(names(manager.answer("qstat", "-f", id).outputText()))
                .isEqualTo(names(RecordedOutput.of("128").output()));

        manager.answer("qhold", "-h", "s", id);
        assertThat(names(manager.answer("qstat", "-f", id).outputText()))
                .isEqualTo(names(RecordedOutput.of("131").output()));

        manager.answer("qrls", "-h", "s", id);
        assertThat(manager.answer("qrun", "-H", "n1:ppn=2", id).succeeded()).isTrue();
        final List<String> running = names(RecordedOutput.of("135").output());
        assertThat(names(manager.answer("qstat", "-f", id).outputText())).isEqualTo(running);

        assertThat(alice.answer("qdel", id).succeeded()).isTrue();
        final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
        while (!manager.answer("qstat", "-f", id).outputText().contains("job_state = C")
                && Instant.now().isBefore(limit)) {
            Thread.sleep(50);
        }
        assertThat(names(manager.answer("qstat", "-f", id).outputText()))
                .isEqualTo(names(RecordedOutput.of("165").output()));
        same(alice.answer("qdel", id), "170");
    }

    @Test
    void errors_have_the_recorded_messages_and_exit_codes() {
        final String waiting = submitted("-N", "waiting_job");
        final String held = submitted("-h", "-N", "held");
        final String running = submitted("-r", "n", "-N", "norerun");
        manager.answer("qrun", "-H", "n1:ppn=1", running);

        same(alice.answer("qstat", "-f", "99999"), "046");
        same(alice.answer("qdel", "99999"), "168");
        same(manager.answer("qrerun", running), "150");
        same(alice.answer("qsig", "-s", "NOSUCH", running), "146");
        same(manager.answer("qrun", "-H", "n1:ppn=64", waiting), "163");
        assertThat(manager.answer("qrun", "-H", "n1:ppn=1", held).exit())
                .isEqualTo(RecordedOutput.of("162").result().exit());
        same(manager.answer("qmove", "nosuch", waiting), "153");
        same(manager.answer("qmove", "short", running), "155");
        same(manager.answer("qmove", "short", held), "152");
        same(alice.answer("qsub", "-q", "nosuch"), "018");
        same(alice.answer("qsub", "-l", "nosuch=1"), "021");
        same(alice.answer("qsub", "-l", "nodes=1:ppn=900"), "009");
        same(alice.answer("qhold", waiting), "125");
        same(alice.answer("qrls", waiting), "127");
    }

    @Test
    void commands_without_permission_are_rejected() {
        Assumptions.assumeTrue(accounts.own().uid() == 0, "only as root there is another user to be");
        final String id = submitted("-N", "bobjob");
        same(alice.answer("qrls", "-h", "s", id), "132");
        manager.answer("qrun", "-H", "n1:ppn=1", id);

        same(alice.answer("qsig", "-s", "suspend", id), "141");
        same(alice.answer("qrerun", id), "147");
        same(alice.answer("qmgr", "-c", "set server scheduling=True"), "178");
    }

    @Test
    void nodes_and_server_have_the_recorded_format() {
        final String nodes = manager.answer("pbsnodes", "-a").outputText();
        assertThat(nodes).startsWith("n1\n     state = free\n     power_state = Running\n     np = 2\n");
        assertThat(RecordedOutput.of("040").output())
                .startsWith("vm\n     state = free\n     power_state = Running\n     np = 64\n");
        assertThat(manager.answer("pbsnodes", "-x").outputText())
                .startsWith(
                        "<Data><Node><name>n1</name><state>free</state><power_state>Running</power_state><np>2</np>");
        assertThat(manager.answer("qstat", "-B", "-f").outputText())
                .startsWith("Server: vm\n    server_state = Active\n    scheduling = ")
                .endsWith("\n\n");
        assertThat(RecordedOutput.of("038").output())
                .startsWith("Server: vm\n    server_state = Active\n    scheduling = ");
    }

    @Test
    void an_unreachable_server_has_the_recorded_message() {
        manager.server.down = true;

        assertThat(manager.answer("qstat", "-f").exit())
                .isEqualTo(RecordedOutput.of("108").result().exit());
        same(manager.answer("pbsnodes", "-a"), "110");
    }
}
