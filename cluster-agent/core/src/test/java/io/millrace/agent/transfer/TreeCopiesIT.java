package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real rsync on real trees of this machine. */
class TreeCopiesIT {

    @TempDir
    Path folder;

    @Test
    void a_tree_arrives_as_it_is_whatever_its_names() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.fillWithTroublesomeNames();

        final Result result = scene.copyUp();

        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
        assertThat(((Result.Done) result).detail())
                .matches("11 files, " + bytes(scene) + " bytes, digest [0-9a-f]{64}");
        assertThat(scene.staged.resolve("hacked")).doesNotExist();
        assertThat(scene.staged.resolve("pipe")).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(scene.staged.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void an_empty_tree_arrives() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        assertThat(((Result.Done) scene.copyUp()).detail()).startsWith("0 files, 0 bytes, digest e3b0c442");
        assertThat(CopyScene.names(scene.staged)).containsExactly(Rsync.UPLOADED);
    }

    @Test
    void results_come_home_beside_what_the_user_has() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("input"), "42"));
        scene.copyUp();
        TestAccounts.give(Files.writeString(scene.staged.resolve("result"), "84"));
        TestAccounts.give(Files.writeString(scene.source.resolve("notes"), "written meanwhile"));

        final Result result = scene.copyDown();

        assertThat(scene.source.resolve("result")).hasContent("84");
        assertThat(scene.source.resolve("notes")).hasContent("written meanwhile");
        assertThat(scene.source).isDirectoryNotContaining("glob:**/.millrace*");
        assertThat(((Result.Done) result).detail()).startsWith("2 files, 4 bytes, ");
    }

    @Test
    void the_digest_depends_on_names_and_contents_and_not_on_how_they_were_compared() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.fillWithTroublesomeNames();
        CopyScene.shell("cd -- \"$1\"; ln big 'linked name'", scene.source);
        final Result whileSent = scene.copyUp();
        final Result comparedAgain = scene.copyUp();
        TestAccounts.give(Files.writeString(scene.staged.resolve("not in the source"), "x"));
        final Result besideOthers = scene.copyUp();
        CopyScene.shell("cd -- \"$1\"; printf One >'a b/with blank'", scene.source);
        final Result changed = scene.copyUp();
        CopyScene.shell("cd -- \"$1\"; mv .hidden .other", scene.source);

        assertThat(comparedAgain).isEqualTo(whileSent);
        assertThat(besideOthers).isEqualTo(whileSent);
        assertThat(changed).isInstanceOf(Result.Done.class).isNotEqualTo(whileSent);
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class).isNotEqualTo(changed);
    }

    @Test
    void a_source_that_was_sent_once_is_not_read_again() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.fillWithTroublesomeNames();
        final Runner owner = new ProcessRunner(new Accounts()).as(scene.owner);
        final TransferSettings settings = TransferSettings.of(scene.stagingRoot.toString(), "here.example");
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        final CopyTree order = scene.upload();
        CopyScene.shell("rm -rf -- \"$1\"", scene.staged);
        Files.createDirectories(scene.staged.resolve(Rsync.arriving(order)));
        scene.belongs(scene.staged);
        owner.run(new CopyTrees(settings, order, false));
        final CheckCopied check = new CheckCopied(settings, order);

        final String digest = ((Answer.Ok<String>) owner.run(check)).value();

        assertThat(digest).hasSize(64);
        assertThat(((Answer.Ok<CompareTrees.Compared>) owner.run(new CompareTrees(settings, order))).value())
                .isEqualTo(new CompareTrees.Compared(List.of(), digest));
        final Path arrived = scene.staged.resolve("big");
        final var time = Files.getLastModifiedTime(arrived);
        CopyScene.shell("printf damaged | dd of=\"$1\" conv=notrunc status=none", arrived);
        Files.setLastModifiedTime(arrived, time);
        assertThat(owner.run(check)).as("a damaged file").isEqualTo(Answer.ok(""));
        owner.run(new CopyTrees(settings, order, true));
        CopyScene.shell("echo more >>\"$1/nothing\"", scene.source);
        assertThat(owner.run(check)).as("a source that changed").isEqualTo(Answer.ok(""));
    }

    @Test
    void what_was_deleted_on_the_target_is_not_deleted_at_home() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("precious"), "x"));
        scene.copyUp();
        Files.delete(scene.staged.resolve("precious"));

        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);

        assertThat(scene.source.resolve("precious")).hasContent("x");
    }

    @Test
    void a_damaged_file_is_found_and_copied_again_though_size_and_time_agree() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("data"), "right"));
        scene.copyUp();
        final Path arrived = scene.staged.resolve("data");
        final var time = Files.getLastModifiedTime(arrived);
        Files.writeString(arrived, "wrong");
        Files.setLastModifiedTime(arrived, time);

        assertThat(scene.copies().copy(scene.upload())).isInstanceOf(Result.Done.class);

        assertThat(arrived).hasContent("right");
    }

    @Test
    void what_cannot_be_made_equal_is_not_reported_as_arrived() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        // rsync cannot put a file where a folder with contents is.
        TestAccounts.give(Files.writeString(scene.source.resolve("x"), "a file"));
        Files.createDirectories(scene.staged.resolve("x/y"));
        Files.setPosixFilePermissions(scene.staged.getParent(), PosixFilePermissions.fromString("rwx------"));
        scene.belongs(scene.staged.getParent());

        final Result result = scene.copyUp();

        assertThat(result).isInstanceOf(Result.Failed.class);
        assertThat(((Result.Failed) result).reason()).contains("x").contains("alpha:" + scene.source);
    }

    @Test
    void a_missing_source_is_named() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        Files.delete(scene.source);
        assertThat(((Result.Failed) scene.copyUp()).reason())
                .contains(scene.source.toString())
                .contains("No such file");
    }

    /** rsync counts a link's target as its size. */
    private static String bytes(final CopyScene scene) throws Exception {
        return CopyScene.shell(
                "find \"$1\" ! -type d ! -type p -printf '%s\\n' | awk '{ n += $1 } END { printf \"%d\", n }'",
                scene.source);
    }
}
