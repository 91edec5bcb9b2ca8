package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.AttemptId;
import io.millrace.model.command.Action.RemoveCopy;
import io.millrace.model.command.Action.StopCopy;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.testing.Attack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Removal of staged copies on real folders of this machine. */
class StagedRemovalIT {

    private static final AttemptId ATTEMPT = AttemptId.of("01JQZ8Y6T0000000000000000A.1");

    @TempDir
    Path folder;

    @Test
    void a_copy_with_any_names_is_removed_and_a_repeated_removal_is_harmless() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.fillWithTroublesomeNames();
        scene.copyUp();

        assertThat(((Result.Done) remove(scene)).detail()).matches("\\d+ bytes of disk space freed");

        assertThat(scene.staged).doesNotExist();
        assertThat(scene.staged.getParent()).isEmptyDirectory();
        assertThat(((Result.Done) remove(scene)).detail()).isEqualTo("it did not exist any more");
    }

    @Test
    @Attack("a link in a staged directory makes its removal delete foreign files")
    void links_are_removed_and_not_followed() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("precious"), "x"));
        final Path parts = TestAccounts.give(Files.createDirectory(scene.source.resolve("parts")));
        TestAccounts.give(Files.writeString(parts.resolve("one"), "x"));
        scene.copyUp();
        Files.createSymbolicLink(scene.staged.resolve("link to a file"), scene.source.resolve("precious"));
        Files.createSymbolicLink(scene.staged.resolve("link to a folder"), parts);
        Files.createLink(scene.staged.resolve("hard link"), scene.source.resolve("precious"));
        final String before = CopyScene.listing(scene.source);

        assertThat(remove(scene)).isInstanceOf(Result.Done.class);

        assertThat(scene.staged).doesNotExist();
        assertThat(CopyScene.listing(scene.source)).isEqualTo(before);
    }

    @Test
    @Attack("a link in place of a staged directory makes its removal delete a foreign directory")
    void a_link_in_place_of_the_folder_is_removed_and_what_it_points_to_stays() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("precious"), "x"));
        scene.copyUp();
        CopyScene.shell("rm -r \"$1\"; ln -s \"$2\" \"$1\"", scene.staged, scene.source);

        assertThat(remove(scene)).isInstanceOf(Result.Done.class);

        assertThat(Files.exists(scene.staged, java.nio.file.LinkOption.NOFOLLOW_LINKS))
                .isFalse();
        assertThat(scene.source.resolve("precious")).hasContent("x");
    }

    @Test
    void folders_that_the_job_made_read_only_are_removed() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.copyUp();
        CopyScene.shell("""
            cd -- "$1"
            mkdir -p closed/a locked/b
            touch closed/a/one locked/b/two
            chmod 500 closed closed/a; chmod 000 locked/b locked
            """, scene.staged);
        scene.belongs(scene.staged);

        assertThat(remove(scene)).isInstanceOf(Result.Done.class);

        assertThat(scene.staged).doesNotExist();
    }

    @Test
    @Attack("a command removes a directory outside the staging root")
    void only_the_folder_of_the_attempt_is_removed() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.copyUp();
        for (final Path other : java.util.List.of(
                scene.source,
                scene.stagingRoot,
                scene.staged.getParent(),
                scene.stagingRoot.resolve("root/" + ATTEMPT),
                scene.staged.resolveSibling("01JQZ8Y6T0000000000000000A.2"),
                scene.staged.resolve("../../x"))) {
            final Result result = scene.copies().remove(new RemoveCopy(ATTEMPT, scene.owner, other.toString(), ""));
            assertThat(((Result.Refused) result).refusal()).isEqualTo(Refusal.NOT_PERMITTED);
        }
        assertThat(scene.staged).exists();
    }

    @Test
    void a_folder_of_another_user_is_not_entered() throws Exception {
        assumeTrue(CopyScene.me().equals("root"), "needs root");
        final CopyScene scene = new CopyScene(folder, "nobody");
        final Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        CopyScene.shell("chmod 777 \"$1\"; mkdir -m 777 \"$1/$2\"", elsewhere, Path.of(ATTEMPT.toString()));
        Files.createSymbolicLink(scene.stagingRoot.resolve("nobody"), elsewhere);

        assertThat(((Result.Failed) remove(scene)).reason()).contains("is not a folder of the job's owner");

        assertThat(elsewhere.resolve(ATTEMPT.toString())).exists();
    }

    @Test
    void what_cannot_be_removed_is_named() throws Exception {
        assumeTrue(CopyScene.me().equals("root"), "needs root");
        final CopyScene scene = new CopyScene(folder, "nobody");
        scene.copyUp();
        CopyScene.shell("mkdir -m 755 \"$1/of root\"; touch \"$1/of root/file\"", scene.staged);

        assertThat(((Result.Failed) remove(scene)).reason())
                .contains("could not be removed completely")
                .contains("of root");
    }

    @Test
    void a_folder_that_is_being_copied_is_not_removed() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell("cd -- \"$1\"; for i in 1 2 3 4; do head -c 300000 /dev/urandom > f$i; done", scene.source);
        scene.belongs(scene.source);
        final TreeCopies copies = scene.slowly(200).copies();
        final var copying = CompletableFuture.supplyAsync(() -> copies.copy(scene.upload()));
        final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
        while (!Files.exists(scene.staged.resolve(Rsync.ARRIVING))) {
            assertThat(Instant.now()).isBefore(limit);
            Thread.sleep(20);
        }

        final Result result = copies.remove(new RemoveCopy(ATTEMPT, scene.owner, scene.staged.toString(), ""));

        assertThat(((Result.Refused) result).refusal()).isEqualTo(Refusal.STALE);
        copies.stop(new StopCopy(scene.upload));
        copying.get();
        assertThat(remove(scene)).isInstanceOf(Result.Done.class);
        assertThat(scene.staged).doesNotExist();
    }

    private static Result remove(final CopyScene scene) {
        return scene.copies().remove(new RemoveCopy(ATTEMPT, scene.owner, scene.staged.toString(), ""));
    }
}
