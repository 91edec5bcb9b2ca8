package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.NameExchange;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.run.WorkDirectories;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.testing.Attack;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Users put links in the place of folders in which an agent of root works. */
class SwappedFoldersIT extends AgentScenario {

    private static final UserName ANNA = UserName.of("anna");
    private static final String USER = Integer.toString(TestAccounts.ordinary().uid());

    /** A folder of root whose names everybody can list. */
    private Path precious;

    @BeforeEach
    void needs_root() throws Exception {
        assumeTrue(new Accounts().own().uid() == 0, "needs root: only root can become another user");
        precious = Files.createDirectory(home.resolve("precious"));
        for (final String name : List.of("result", "millrace-make.out")) {
            Files.writeString(precious.resolve(name), "secret");
        }
        sh("chmod 755 '%1$s'; chmod 600 '%1$s'/*".formatted(precious));
    }

    private static String sh(final String script) throws Exception {
        final Process process = new ProcessBuilder("bash", "-c", script)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Names, owners, modes, sizes, times and contents. */
    private String listing() throws Exception {
        return sh("find '%1$s' -printf '%%p %%u %%g %%m %%s %%T@ %%C@\\n'; cat '%1$s'/*".formatted(precious));
    }

    private Path link(final String name) throws Exception {
        return TestAccounts.give(Files.createSymbolicLink(directory.resolve(name), precious));
    }

    private static JobSpec job(final String script) {
        final JobSpec plain = spec(script, 1);
        return new JobSpec(
                "job",
                script,
                "#!/bin/sh\necho made >made; cat result\n",
                plain.resources(),
                Duration.ofMinutes(5),
                null,
                null,
                Map.of(),
                plain.checkpoint(),
                false);
    }

    @Test
    @Attack("a user exchanges the directory of a job for a link to a folder of root while the agent works in it")
    void a_directory_that_becomes_a_link_leads_to_nothing_that_its_owner_cannot_change() throws Exception {
        final Path own = TestAccounts.give(Files.createDirectory(directory.resolve("job")));
        final Path link = link("link");
        TestAccounts.letIn(home);
        final String before = listing();
        final List<String> states = new ArrayList<>();
        try (NameExchange exchange = NameExchange.start(home, USER, own, link)) {
            for (int i = 0; i < 8 || !states.containsAll(List.of("Done", "Failed")); i++) {
                final AttemptId attempt = deciders.attempt();
                final JobSpec spec = job("#!/bin/sh\ncat result; echo written >result\n");
                states.add(state(
                        deciders.answers(Issuer.MIGRATION, new Action.Make(attempt, ANNA, spec, own.toString(), ""))));
                final Result submitted =
                        deciders.answers(Issuer.MIGRATION, new Action.Submit(attempt, ANNA, spec, own.toString(), ""));
                states.add(state(submitted));
                if (submitted instanceof Result.Done done) {
                    final JobKey key = Objects.requireNonNull(done.job());
                    deciders.does(Issuer.MIGRATION, new Action.Release(key));
                    deciders.does(Issuer.BACKFILL, new Action.Start(key));
                    states.add(deciders.awaitEnd(key).outcome().equals(new RunOutcome.Exited(0)) ? "ran" : "failed");
                }
            }
            assertThat(exchange.stop()).as("exchanges").isGreaterThan(100);
        }
        System.out.println("while the directory was exchanged: " + states);
        assertThat(listing()).isEqualTo(before);
        assertThat(sh("cat '%s'/*".formatted(Files.isSymbolicLink(own) ? link : own)))
                .doesNotContain("secret");
    }

    private static String state(final Result result) {
        return result.getClass().getSimpleName();
    }

    @Test
    @Attack("a user exchanges the folders of the agent, of its sessions and of a job in the queue for links")
    void nobody_else_renames_folders_of_the_agent() throws Exception {
        TestAccounts.letIn(home);
        final AttemptId attempt = deciders.attempt();
        final JobSpec spec = job("#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.1; done\n");
        final JobKey key = deciders.run(directory, spec);
        final JobSpec made = job("#!/bin/sh\ntrue\n");
        Files.createFile(directory.resolve("result"));
        final CommandId make =
                deciders.order(Issuer.MIGRATION, new Action.Make(attempt, ANNA, made, directory.toString(), ""));
        final Path job = home.resolve("local/jobs/" + key.id().local());
        final List<NameExchange> attempts = new ArrayList<>();
        try (NameExchange control = NameExchange.start(home, USER, link("one"), link("two"))) {
            for (final Path folder : List.of(
                    home.resolve("work"),
                    home.resolve("work/bin"),
                    WorkDirectories.of(home.resolve("work"), make),
                    home.resolve("local"),
                    home.resolve("local/bin"),
                    job,
                    job.resolve("run-1"),
                    job.resolve("script"),
                    home.resolve("staging"),
                    home.resolve("staging/anna"))) {
                attempts.add(NameExchange.start(home, USER, folder, link("link" + attempts.size())));
            }
            assertThat(deciders.answer(make)).isInstanceOf(Result.Done.class);
            Files.createFile(directory.resolve("go"));
            assertThat(deciders.awaitEnd(key).outcome()).isEqualTo(new RunOutcome.Exited(0));
            for (final NameExchange each : attempts) {
                assertThat(each.stop()).isZero();
            }
            assertThat(control.stop()).as("exchanges of the user's own links").isPositive();
        } finally {
            attempts.forEach(NameExchange::close);
        }
    }
}
