package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import io.millrace.script.wrapper.OutputFile;
import io.millrace.testing.Attack;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What users try with the files of an agent that is root, and with those of other users. */
class OtherUsersIT extends AgentScenario {

    /** Neither root nor the owner of the jobs. */
    private static final List<String> AS_ANOTHER_USER =
            List.of("setpriv", "--reuid=daemon", "--regid=daemon", "--clear-groups", "--");

    @BeforeEach
    void needs_root() {
        assumeTrue(Integer.valueOf(0).equals(uid(home)), "needs root: only root can become another user");
    }

    @Test
    @Attack("a user reads or changes files of the agent or of a running job of another user")
    void another_user_reads_and_writes_nothing_of_the_agent_and_of_a_running_job() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        final JobKey job = deciders.run(directory, spec("#!/bin/sh\necho secret >result\nexec sleep 600\n", 1));
        deciders.await("the result", () -> Files.exists(directory.resolve("result")));

        final List<String> open = new ArrayList<>();
        for (final Path path : everythingIn(home, directory)) {
            if (isAllowed("-w", path) || isSecret(path) && isAllowed("-r", path)) {
                open.add(path.toString());
            }
        }
        assertThat(open).isEmpty();
        assertThat(isAllowed("-r", Path.of("/etc/passwd")))
                .as("the check itself")
                .isTrue();
        deciders.does(Issuer.MIGRATION, new Action.Cancel(job));
    }

    @Test
    @Attack("a link in place of an output file overwrites a foreign file")
    void a_link_in_place_of_the_output_does_not_reach_a_file_that_its_owner_cannot_write() throws Exception {
        final Path precious = Files.writeString(home.resolve("precious"), "of root");
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rw-------"));
        final AttemptId attempt = deciders.attempt();
        final JobKey job = deciders.submit(attempt, directory, spec("#!/bin/sh\necho overwritten\n", 1));
        for (final String planted :
                List.of(OutputFile.of(attempt), ".millrace-" + job.id().local() + ".hosts")) {
            plant(directory.resolve(planted), precious);
        }
        deciders.does(Issuer.MIGRATION, new Action.Release(job));
        deciders.does(Issuer.BACKFILL, new Action.Start(job));

        assertThat(deciders.awaitEnd(job).outcome()).isNotEqualTo(new RunOutcome.Exited(0));
        assertThat(precious).hasContent("of root");
        assertThat(uid(precious)).isZero();
    }

    @Test
    @Attack("a link in place of a staging folder gives access to a foreign folder")
    void a_link_in_place_of_a_staging_folder_gives_away_nothing() throws Exception {
        final Path precious = Files.createDirectory(home.resolve("precious"));
        final Path root = home.resolve("staging");
        Files.deleteIfExists(root.resolve("anna"));
        Files.createSymbolicLink(root.resolve("anna"), precious);

        final AttemptId attempt = deciders.attempt();
        assertThat(deciders.answers(
                        Issuer.MIGRATION,
                        new Action.Submit(
                                attempt,
                                UserName.of("anna"),
                                spec("#!/bin/sh\ntrue\n", 1),
                                root.resolve("anna").resolve(attempt.toString()).toString(),
                                "")))
                .isInstanceOf(Result.Failed.class);
        assertThat(precious).isEmptyDirectory();
        assertThat(uid(precious)).isZero();
    }

    /** Unlike {@code Files.walk}, {@code find} goes on when the agent removes a file meanwhile. */
    private static List<Path> everythingIn(final Path... roots) throws IOException {
        final List<String> argv = new ArrayList<>(List.of("find"));
        Stream.of(roots).map(Path::toString).forEach(argv::add);
        argv.addAll(List.of("!", "-type", "l"));
        final Process find = new ProcessBuilder(argv)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        final List<Path> all;
        try (BufferedReader found = find.inputReader()) {
            all = found.lines().map(Path::of).toList();
        }
        assertThat(all).hasSizeGreaterThan(10);
        return all;
    }

    /** Jobs of every user run the programs in the folders {@code bin}. */
    private static boolean isSecret(final Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                && !path.getParent().endsWith("bin");
    }

    private static boolean isAllowed(final String access, final Path path) throws Exception {
        final List<String> argv = new ArrayList<>(AS_ANOTHER_USER);
        argv.addAll(List.of("test", access, path.toString()));
        return new ProcessBuilder(argv).start().waitFor() == 0;
    }

    private static void plant(final Path link, final Path target) throws IOException {
        Files.deleteIfExists(link);
        TestAccounts.give(Files.createSymbolicLink(link, target));
    }

    private static Integer uid(final Path file) {
        try {
            return (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
