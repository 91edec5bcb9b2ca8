package io.millrace.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.NameExchange;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import io.millrace.testing.Attack;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No directory but the owner's own below the staging root, and none elsewhere that the owner cannot work in. */
class StagingDirectoriesTest {

    private static final UserName ANNA = UserName.of("anna");

    @TempDir
    Path root;

    private final List<List<String>> asked = new ArrayList<>();
    private int exit;
    private StagingDirectories staging;

    private final class Taking implements Runner {
        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            asked.add(command.argv());
            return command.read(CommandResult.of(exit, "", exit == 0 ? "" : "No"));
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    @BeforeEach
    void open() {
        staging = new StagingDirectories(root, new OwnerAccounts(TestAccounts.labels(), new Taking(), true));
    }

    private void letAllWrite(final String mode) throws Exception {
        assertThat(new ProcessBuilder("chmod", mode, root.toString()).start().waitFor())
                .isZero();
    }

    private void rejected(final String directory, final String because) {
        assertThat(staging.prepare(ANNA, directory, Authority.CHECK))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.REJECTED);
                    assertThat(trouble.reason()).contains(because);
                });
    }

    @Test
    void a_path_that_says_one_thing_and_means_another_is_not_even_looked_at() {
        for (final String path :
                List.of("relative", "", root + "/anna/../bob/x", "/home/anna/./x", "/home//anna", root + "/anna/..")) {
            rejected(path, "is not a normalized absolute path");
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void below_the_staging_root_each_owner_has_a_folder() {
        for (final String path : List.of(root + "/bob/1", root.toString(), root + "/anna", root + "/annax/1")) {
            rejected(path, "the folder of staged jobs of 'anna'");
        }
        assertThat(asked).isEmpty();
        assertThat(staging.prepare(ANNA, root + "/anna/1", Authority.CHECK)).isInstanceOf(Answer.Ok.class);
        assertThat(root.resolve("anna")).isDirectory();
    }

    @Test
    void a_link_in_the_place_of_a_staging_folder_is_not_followed() throws Exception {
        Files.createSymbolicLink(root.resolve("anna"), Files.createDirectory(root.resolve("elsewhere")));
        rejected(root + "/anna/1", "must be a directory that belongs");
        assertThat(asked).isEmpty();
    }

    @Test
    @Attack("a user takes the name of another user's staging folder before that user's first job")
    void a_folder_or_link_of_another_user_is_moved_out_of_the_way() throws Exception {
        assumeTrue(new Accounts().own().uid() == 0, "needs root");
        final int thief = 54321;
        final Path taken = Files.createDirectory(root.resolve("anna"));
        Files.setAttribute(taken, "unix:uid", thief);
        assertThat(staging.prepare(ANNA, taken + "/1", Authority.CHECK)).isInstanceOf(Answer.Ok.class);
        assertThat(Files.getAttribute(taken, "unix:uid"))
                .isEqualTo(TestAccounts.ordinary().uid());

        final Path precious = Files.createDirectory(root.resolve("precious"));
        Files.delete(taken);
        Files.createSymbolicLink(taken, precious);
        Files.setAttribute(taken, "unix:uid", thief, LinkOption.NOFOLLOW_LINKS);
        assertThat(staging.prepare(ANNA, taken + "/1", Authority.CHECK)).isInstanceOf(Answer.Ok.class);
        assertThat(taken).isDirectory().matches(path -> !Files.isSymbolicLink(path));
        assertThat(Files.getAttribute(precious, "unix:uid"))
                .as("what the link names")
                .isEqualTo(0);
    }

    /** Makes and removes a folder, a file and a link to a folder of root under the name of another user's folder, without end. */
    private static final String SWAP = """
        cd -- "$1"
        while [[ -e $2 ]]; do
            ln -sT -- "$2" anna && rm -- anna
            mkdir anna && rmdir anna
            : >anna && rm -- anna
            mkdir mine && mv -T mine anna && ln -s "$2" link && mv -T anna aside && mv -T link anna && rm -- anna && rmdir aside
            rm -rf mine link aside
        done 2>/dev/null
        """;

    @Test
    @Attack("a user swaps another user's staging folder for links and files while the agent makes it")
    void what_a_link_names_is_not_changed_while_the_link_comes_and_goes(@TempDir final Path elsewhere)
            throws Exception {
        assumeTrue(new Accounts().own().uid() == 0, "needs root");
        final Path precious = Files.createDirectory(elsewhere.resolve("precious"));
        Files.writeString(precious.resolve("file"), "kept");
        for (final Path folder : List.of(elsewhere, precious)) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        letAllWrite("1777");
        final Process thief = new ProcessBuilder(
                        "setpriv",
                        "--reuid=54321",
                        "--regid=54321",
                        "--clear-groups",
                        "bash",
                        "-c",
                        SWAP,
                        "swap",
                        root.toString(),
                        precious.toString())
                .start();
        int made = 0;
        int refused = 0;
        try {
            while (made < 200 || refused == 0 && made < 20_000) {
                final Answer<?> answer = staging.prepare(ANNA, root + "/anna/1", Authority.CHECK);
                if (answer instanceof Answer.Ok) {
                    made++;
                    final Path home = root.resolve("anna");
                    assertThat(Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS))
                            .isTrue();
                    assertThat(Files.getAttribute(home, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                            .isEqualTo(TestAccounts.ordinary().uid());
                    Files.delete(home);
                } else {
                    refused++;
                }
                assertThat(Files.getAttribute(precious, "unix:uid")).isEqualTo(0);
                assertThat(Files.getAttribute(precious, "unix:gid")).isEqualTo(0);
            }
        } finally {
            thief.destroy();
            thief.waitFor();
        }
        assertThat(precious.resolve("file")).hasContent("kept");
        System.out.println("made " + made + " times, refused " + refused + " times");
    }

    @Test
    void a_root_in_which_users_rename_the_folders_of_others_is_refused() throws Exception {
        letAllWrite("777");
        assertThatThrownBy(this::open).hasMessageContainingAll(root.toString(), "0711");
    }

    @Test
    @Attack("a user puts something of root in the place of the own staging folder, which the agent then gives away")
    void what_is_in_the_place_of_a_folder_is_not_given_away() throws Exception {
        assumeTrue(new Accounts().own().uid() == 0, "needs root");
        final Path home = Files.writeString(root.resolve("anna"), "of root");
        rejected(root + "/anna/1", "must be a directory that belongs");
        assertThat(home).hasContent("of root");
        Files.delete(home);
        final Path file = Files.writeString(Files.createDirectory(home).resolve("file"), "of root");
        rejected(root + "/anna/1", "must be a directory that belongs");
        for (final Path path : List.of(home, file)) {
            assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(0);
        }
        assertThat(root).isDirectoryContaining(path -> path.equals(home));
        assertThat(Files.list(root)).hasSize(1);
    }

    @Test
    @Attack("a user exchanges the own staging folder for a link to a folder of root while the agent makes it")
    void a_link_of_the_owner_gives_away_nothing(@TempDir final Path elsewhere) throws Exception {
        TestAccounts.letIn(root);
        TestAccounts.letIn(elsewhere);
        final Path precious = Files.createDirectory(elsewhere.resolve("precious"));
        letAllWrite("1777");
        final Path home = TestAccounts.give(Files.createDirectory(root.resolve("anna")));
        final Path link = TestAccounts.give(Files.createSymbolicLink(root.resolve("link"), precious));
        final String uid = Integer.toString(TestAccounts.ordinary().uid());
        int made = 0;
        int refused = 0;
        try (NameExchange thief = NameExchange.start(elsewhere, uid, home, link)) {
            while (made < 1_000 || refused < 100) {
                final boolean ok = staging.prepare(ANNA, root + "/anna/1", Authority.CHECK) instanceof Answer.Ok;
                made += ok ? 1 : 0;
                refused += ok ? 0 : 1;
                assertThat(Files.getAttribute(precious, "unix:uid")).isEqualTo(0);
            }
            assertThat(thief.stop()).isPositive();
        }
        assertThat(precious).isEmptyDirectory();
    }

    /** Only root can give anything away; elsewhere the owner makes the folder. */
    @Test
    void a_folder_that_a_killed_agent_did_not_give_away_is_given_away_by_the_next() throws Exception {
        final Accounts accounts = new Accounts();
        if (accounts.own().uid() != 0) {
            assertThat(new OwnerAccounts(accounts, new Taking(), true).canGiveFilesTo(UserName.of("nobody")))
                    .isFalse();
            return;
        }
        final Path home = Files.createDirectory(root.resolve("nobody"));
        final StagingDirectories asRoot = new StagingDirectories(root, new OwnerAccounts(accounts, new Taking(), true));
        assertThat(asRoot.prepare(UserName.of("nobody"), home + "/1", Authority.CHECK))
                .isInstanceOf(Answer.Ok.class);
        assertThat(Files.getAttribute(home, "unix:uid"))
                .isEqualTo(accounts.named(UserName.of("nobody")).orElseThrow().uid());
    }

    @Test
    void outside_the_staging_root_the_rights_of_the_owner_decide() {
        exit = 1;
        rejected("/var/lib/secret", "that user 'anna' can write to");
        assertThat(asked).singleElement().satisfies(argv -> assertThat(argv).startsWith("test", "-d"));
    }

    @Test
    void the_directories_of_a_burst_are_checked_by_one_program() throws Exception {
        final Path here = Files.createDirectory(root.resolve("here"));
        final Path there = Files.createDirectory(root.resolve("there, with a blank"));
        final Path file = Files.createFile(root.resolve("file"));
        final String missing = root + "/missing";
        final List<String> started = new ArrayList<>();
        final StagingDirectories real =
                new StagingDirectories(null, new OwnerAccounts(TestAccounts.labels(), new Counting(started), true));
        real.checkTogether(ANNA, List.of(here.toString(), missing, there.toString(), file.toString(), "relative"));

        assertThat(real.prepare(ANNA, here.toString(), Authority.CHECK)).isInstanceOf(Answer.Ok.class);
        assertThat(real.prepare(ANNA, there.toString(), Authority.CHECK)).isInstanceOf(Answer.Ok.class);
        assertThat(started).containsExactly("find");
        assertThat(real.prepare(ANNA, missing, Authority.CHECK)).isInstanceOf(Answer.Trouble.class);
        assertThat(real.prepare(ANNA, file.toString(), Authority.CHECK)).isInstanceOf(Answer.Trouble.class);
        assertThat(real.prepare(UserName.of("bob"), here.toString(), Authority.CHECK))
                .isInstanceOf(Answer.Ok.class);
        assertThat(started).containsExactly("find", "test", "test", "test");
    }

    /** Runs programs as this account. */
    private record Counting(List<String> started) implements Runner {
        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            started.add(command.argv().getFirst());
            return new ProcessRunner(new Accounts()).run(new WithoutHurry<>(command));
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    /** On a slow machine a program takes longer than the agent would wait for it. */
    private record WithoutHurry<T>(CommandLine<T> command) implements CommandLine<T> {
        @Override
        public List<String> argv() {
            return command.argv();
        }

        @Override
        public Duration limit() {
            return Duration.ofMinutes(5);
        }

        @Override
        public Answer<T> read(final CommandResult result) {
            return command.read(result);
        }
    }
}
