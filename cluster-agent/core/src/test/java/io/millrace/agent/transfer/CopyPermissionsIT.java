package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.Place;
import io.millrace.testing.Attack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies have the permissions of their owner and no others. */
class CopyPermissionsIT {

    @TempDir
    Path folder;

    @Test
    void another_users_files_are_copied_with_that_users_rights() throws Exception {
        assumeTrue(CopyScene.me().equals("root"), "needs root");
        final CopyScene scene = new CopyScene(folder, "nobody");
        scene.fillWithTroublesomeNames();
        CopyScene.shell("chgrp root \"$1/big\"; chmod 640 \"$1/nothing\"", scene.source);

        final Result result = scene.copyUp();

        assertThat(result).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
        assertThat(Files.getOwner(scene.staged).getName()).isEqualTo("nobody");
        assertThat(Files.getOwner(scene.staged.resolve("big")).getName()).isEqualTo("nobody");
    }

    @Test
    @Attack("a copy reads a file that its owner cannot read")
    void what_the_owner_cannot_read_is_named_and_not_copied_with_other_rights() throws Exception {
        assumeTrue(CopyScene.me().equals("root"), "needs root");
        final CopyScene scene = new CopyScene(folder, "nobody");
        Files.writeString(scene.source.resolve("fine"), "x");
        final Path secret = Files.writeString(scene.source.resolve("root's secret"), "x");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));

        final Result result = scene.copyUp();

        assertThat(((Result.Failed) result).reason())
                .contains("root's secret")
                .contains("Permission denied")
                .contains("make it accessible");
        assertThat(scene.staged.resolve("root's secret")).doesNotExist();
    }

    @Test
    @Attack("a copy writes into the staging folder of another user")
    void no_user_writes_into_the_folder_of_another() throws Exception {
        assumeTrue(CopyScene.me().equals("root"), "needs root");
        final CopyScene scene = new CopyScene(folder, "nobody");
        final Path roots = Files.createDirectory(folder.resolve("roots"));
        CopyScene.shell("chmod 777 \"$1\"", roots);
        refused(scene, roots, "is not a folder of the job's owner");
        refused(scene, folder.resolve("not there"), "is not a folder of the job's owner");
        refused(scene, scene.stagingRoot.resolve("root/01A.1"), "is not a staging folder of user 'nobody'");
        refused(scene, scene.stagingRoot.resolve("nobody"), "is not a staging folder");
        refused(scene, scene.stagingRoot.resolve("nobody/../root/x"), "is not a staging folder");
        // A link to another folder is already there.
        Files.createSymbolicLink(scene.stagingRoot.resolve("nobody"), roots);
        refused(scene, scene.staged, "is not a folder of the job's owner");
    }

    @Test
    void where_the_agent_runs_all_jobs_itself_owners_need_no_account() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("input"), "42"));
        final ProcessRunner self = new ProcessRunner(new Accounts());
        final TreeCopies copies =
                new TreeCopies((owner, authority) -> self, TransferSettings.of(scene.stagingRoot.toString(), null));
        final Path to = scene.stagingRoot.resolve("label/1");

        final Result result = copies.copy(
                new CopyTree(scene.upload, UserName.of("label"), scene.upload().from(), CopyScene.place(to)));

        assertThat(result).isInstanceOf(Result.Done.class);
        assertThat(to.resolve("input")).hasContent("42");
    }

    @Test
    void a_user_without_an_account_is_refused() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        final CopyTree order = new CopyTree(
                scene.upload,
                UserName.of("no-such-user"),
                scene.upload().from(),
                CopyScene.place(scene.stagingRoot.resolve("no-such-user/1")));
        assertThat(((Result.Refused) scene.copies().copy(order)).reason()).contains("has no account");
    }

    private static void refused(final CopyScene scene, final Path to, final String because) {
        final CopyTree order = new CopyTree(
                scene.upload, scene.owner, scene.upload().from(), new Place(ClusterId.of("beta"), null, to.toString()));
        final Result result = scene.copies().copy(order);
        assertThat(result).isInstanceOf(Result.Refused.class);
        assertThat(((Result.Refused) result).refusal()).isEqualTo(Refusal.NOT_PERMITTED);
        assertThat(((Result.Refused) result).reason()).contains(because);
    }
}
