package io.millrace.agent.pbspro;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Transcript;
import io.millrace.model.UserName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fake behaves as recorded from the real server: same exit codes, messages and structure. */
class FakePbsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path home;

    private FakePbs root;
    private FakePbs alice;
    private FakePbs bob;

    @BeforeEach
    void open() throws Exception {
        root = new FakePbs(home, new Accounts());
        alice = root.user(UserName.of("alice"));
        bob = root.user(UserName.of("bob"));
        root.server.savesJobs = false;
    }

    @AfterEach
    void close() {
        root.server.close();
    }

    /** A command with its complete result. */
    private record Typed(List<String> argv) implements CommandLine<CommandResult> {
        @Override
        public byte[] input() {
            return "#!/bin/sh\nsleep 600\n".getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Answer<CommandResult> read(final CommandResult result) {
            return Answer.ok(result);
        }
    }

    private static CommandResult type(final Runner who, final String... words) {
        return who.run(new Typed(List.of(words))).get();
    }

    private String submitted(final Runner who, final String... options) {
        final List<String> words = new ArrayList<>(List.of("qsub"));
        words.addAll(List.of(options));
        return type(who, words.toArray(String[]::new)).outputText().strip();
    }

    /** Compares with the recording, except for ids and the end of a usage message. */
    private static void assertSame(final CommandResult actual, final String number) {
        final Transcript recorded = RecordedOutput.of(number);
        assertThat(actual.exit())
                .as(recorded.file())
                .isEqualTo(recorded.result().exit());
        assertThat(plain(actual)).as(recorded.file()).isEqualTo(plain(recorded.result()));
        assertThat(actual.outputText().isBlank())
                .as(recorded.file())
                .isEqualTo(recorded.result().outputText().isBlank());
    }

    private static String plain(final CommandResult result) {
        return result.errorText()
                .replaceFirst("usage: .*", "usage")
                .replaceAll("\\d+(\\[\\d*])?\\.vm", "ID")
                .replaceAll("\\(R: .*\\)", "(…)")
                .replaceFirst(";? *\\^$", "")
                .strip();
    }

    private FakePbsJob job(final String id) {
        return java.util.Objects.requireNonNull(FakePbsCommands.find(root.server, id));
    }

    /** Marks a job as running without a process. */
    private String running(final String... options) {
        final FakePbsJob job = job(submitted(alice, options));
        job.letter = "R";
        job.substate = 42;
        job.runs = 1;
        job.started = Instant.now();
        job.placed = Map.of("vm", 1);
        return job.id();
    }

    @Test
    void errors_have_the_recorded_messages_and_exit_codes() {
        final String waiting = submitted(alice);
        assertSame(type(bob, "qhold", "-h", "u", waiting), "083");
        assertSame(type(alice, "qhold", "-h", "s", waiting), "084");
        assertSame(type(alice, "qhold", "-h", "o", waiting), "093");
        assertSame(type(alice, "qrls", "-h", "s", waiting), "087");
        assertSame(type(alice, "qhold", "-h", "u", "99999"), "091");
        assertSame(type(root, "qsig", "-s", "suspend", waiting), "114");
        assertSame(type(root, "qrerun", waiting), "120");
        assertSame(type(root, "qrerun", "99999"), "121");
        assertSame(type(alice, "qrun", waiting), "150");
        assertSame(type(root, "qrun", "99999"), "158");
        assertSame(type(alice, "qdel", "99999"), "188");
        assertSame(type(bob, "qdel", waiting), "190");
        assertSame(type(alice, "qdel", "abc"), "199");
        assertSame(type(alice, "qalter", "-l", "nosuchres=5", waiting), "143");
        assertSame(type(alice, "qalter", "-W", "comment=\"mine\"", waiting), "348");
        assertSame(type(root, "qalter", "-W", "comment=reason, with comma, equal = sign", waiting), "349");
        final String wide = submitted(alice, "-l", "select=1:ncpus=600");
        assertSame(type(root, "qrun", wide), "151");
        assertSame(type(alice, "qmove", "nosuch", waiting), "129");
        assertSame(type(bob, "qmove", "short", waiting), "135");
        type(root, "qhold", "-h", "o", waiting);
        assertSame(type(root, "qmove", "short", waiting), "125");
        assertThat(job(waiting).letter).isEqualTo("H");
    }

    @Test
    void errors_about_running_and_finished_jobs_are_as_recorded() {
        final String job = running();
        assertSame(type(root, "qsig", "-s", "resume", job), "115");
        assertSame(type(root, "qmove", "short", job), "127");
        assertSame(type(alice, "qrerun", job), "116");
        assertSame(type(bob, "qrerun", job), "122");
        assertSame(type(alice, "qsig", "-s", "suspend", job), "160");
        assertSame(type(bob, "qsig", "-s", "SIGUSR1", job), "257");
        assertSame(type(alice, "qsig", "-s", "NOSUCH", job), "259");
        assertSame(type(alice, "qalter", "-l", "select=1:ncpus=1", job), "141");
        assertSame(type(alice, "qalter", "-l", "walltime=00:30:00", job), "140");
        root.server.hasResource = true;
        assertSame(type(root, "qalter", "-h", "o", "-l", "millrace=entry.2", "-W", "comment=\"why\"", job), "350");
        assertSame(type(root, "qrerun", running("-r", "n")), "119");

        type(alice, "qdel", job);
        assertSame(type(alice, "qhold", "-h", "u", job), "092");
        assertSame(type(root, "qrerun", job), "123");
        assertSame(type(alice, "qstat", "-f", "-F", "json", "99999"), "043");
    }

    @Test
    void rejected_submissions_have_the_recorded_messages() {
        assertSame(type(alice, "qsub", "-q", "nosuch", "--", "/bin/true"), "200");
        assertSame(type(alice, "qsub", "-l", "nosuchres=1", "--", "/bin/true"), "204");
        assertSame(type(alice, "qsub", "-N", "näme", "--", "/bin/sleep", "700"), "022");
        assertSame(type(alice, "qsub", "-N", "we\"ird", "--", "/bin/sleep", "700"), "023");
        assertSame(type(alice, "qmgr", "-c", "set server scheduling=False"), "221");
        assertSame(type(alice, "qmgr", "-c", "set server max_run_res_soft.ncpus += [u:alice=400]"), "305");
        assertSame(type(root, "qmgr", "-c", "set server scheduling=False"), "223");
    }

    @Test
    void a_plain_release_keeps_an_operator_hold_and_comments_name_who_set_it() {
        final String job = submitted(alice);
        type(root, "qhold", "-h", "s", job);
        assertThat(job(job).comment).startsWith("Job held by ").contains(" on ");
        assertSame(type(alice, "qrls", "-h", "u", job), "088");
        assertThat(job(job).letter).isEqualTo("H");
    }

    @Test
    void output_has_the_recorded_names_order_and_types() throws Exception {
        submitted(
                alice,
                "-N",
                "one",
                "-A",
                "projA",
                "-v",
                "A=7,B=x",
                "-l",
                "select=2:ncpus=2",
                "-l",
                "walltime=01:00:00");
        submitted(alice, "-h", "-J", "2-7");
        running();
        type(alice, "qdel", submitted(alice));
        final Map<String, String> known = new LinkedHashMap<>();
        for (final String number : List.of("033", "034", "184", "254", "315")) {
            learn(JSON.readTree(RecordedOutput.of(number).result().output()).path("Jobs"), "", known, true);
        }
        compare(type(root, "qstat", "-x", "-t", "-f", "-F", "json"), "Jobs", known);
        compare(type(root, "qstat", "-Q", "-f", "-F", "json"), "Queue", known("049", "Queue"));
        compare(type(root, "pbsnodes", "-a", "-F", "json"), "nodes", known("057", "nodes"));
        type(root, "qmgr", "-c", "set server max_run_res_soft.ncpus += [u:bob=2]");
        final Map<String, String> server = known("295", "Server");
        server.put("/managers", "STRING"); // set on the recorded server only temporarily, see 262
        compare(type(root, "qstat", "-B", "-f", "-F", "json"), "Server", server);
    }

    private static Map<String, String> known(final String number, final String section) throws Exception {
        final String output = RecordedOutput.of(number).result().outputText();
        final Map<String, String> known = new LinkedHashMap<>();
        learn(JSON.readTree(output.substring(output.indexOf("{\n"))).path(section), "", known, true);
        return known;
    }

    /** @param objects whether the members are objects by name, so that names are not compared */
    private static void learn(
            final JsonNode node, final String path, final Map<String, String> known, final boolean objects) {
        node.properties().forEach(member -> {
            final boolean free = path.endsWith("Variable_List") || path.endsWith("Resource_List");
            final String name = objects ? path : path + "/" + (free ? "*" : member.getKey());
            if (!objects && !free) {
                known.putIfAbsent(name, member.getValue().getNodeType().toString());
            }
            learn(member.getValue(), name, known, false);
        });
    }

    private static void compare(final CommandResult actual, final String section, final Map<String, String> known)
            throws Exception {
        final Map<String, String> printed = new LinkedHashMap<>();
        learn(JSON.readTree(actual.output()).path(section), "", printed, true);
        assertThat(printed).isNotEmpty();
        assertThat(known).as(section).containsAllEntriesOf(printed);
    }
}
