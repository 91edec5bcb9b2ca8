package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Action.StopCopy;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
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
        assertThat(scene.staged).isEmptyDirectory();
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
    void files_that_the_owner_excludes_are_neither_sent_nor_returned() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell("""
            cd -- "$1"; mkdir -p scratch 'a b'; echo x >scratch/big; echo x >'a b/old.tmp'; echo x >keep.tmp; echo x >input
            printf '+ /keep.tmp\n- *.tmp\n- /scratch/\n' >.millrace-filter
            """, scene.source);
        scene.belongs(scene.source);

        final Result sent = scene.copyUp();
        assertThat(((Result.Done) sent).detail()).startsWith("3 files, ");
        assertThat(CopyScene.shell("cd -- \"$1\"; find . -type f | LC_ALL=C sort", scene.staged)
                        .lines())
                .containsExactly("./.millrace-filter", "./input", "./keep.tmp");
        assertThat(scene.copyUp()).isEqualTo(sent);

        CopyScene.shell(
                "cd -- \"$1\"; mkdir scratch; echo y >scratch/big; echo y >run.tmp; echo y >result", scene.staged);
        scene.belongs(scene.staged);
        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);
        assertThat(scene.source.resolve("result")).hasContent("y");
        assertThat(scene.source.resolve("scratch/big")).hasContent("x");
        assertThat(scene.source.resolve("run.tmp")).doesNotExist();
    }

    @Test
    void the_rules_of_a_job_apply_to_one_direction_and_come_before_those_of_the_directory() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary())
                .filtering(
                        List.of("+ $(touch x).tmp", "- *.tmp", "- /old results/", "+ kept.log"),
                        List.of("+ */", "+ *.dat", "- *"));
        CopyScene.shell("""
            cd -- "$1"; mkdir -p 'old results' deep; echo x >'old results/1'; echo x >deep/a.tmp; echo x >'$(touch x).tmp'
            echo x >mesh.dat; echo x >kept.log; echo x >lost.log; head -c 3000000 /dev/zero >big.tmp
            printf -- '- *.log\n' >.millrace-filter
            """, scene.source);
        scene.belongs(scene.source);
        scene.jobIsPlaced();

        final Result sent = scene.copyUp();
        assertThat(((Result.Done) sent).detail()).startsWith("4 files, ");
        assertThat(CopyScene.shell("cd -- \"$1\"; find . -type f | LC_ALL=C sort", scene.staged)
                        .lines())
                .containsExactly("./$(touch x).tmp", "./.millrace-filter", "./kept.log", "./mesh.dat");
        assertThat(scene.copyUp()).as("compared again").isEqualTo(sent);

        CopyScene.shell("""
            cd -- "$1"; for f in deep/new.dat new.tmp mesh.dat kept.log; do echo y >$f; done
            """, scene.staged);
        scene.belongs(scene.staged);
        assertThat(((Result.Done) scene.copyDown()).detail()).startsWith("2 files, ");
        assertThat(scene.source.resolve("deep/new.dat")).hasContent("y");
        assertThat(scene.source.resolve("mesh.dat")).hasContent("y");
        assertThat(scene.source.resolve("kept.log")).hasContent("x");
        assertThat(scene.source.resolve("new.tmp")).doesNotExist();
        assertThat(scene.source).isDirectoryNotContaining("glob:**.millrace-*-*");
    }

    @Test
    void a_filter_rule_that_rsync_does_not_know_is_named_with_its_file() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve(".millrace-filter"), "nonsense *.tmp\n"));
        assertThat(((Result.Failed) scene.copyUp()).reason())
                .contains("Unknown filter rule", "correct the file .millrace-filter in alpha:", "'- *.tmp'");
    }

    @Test
    void a_source_that_was_sent_once_is_not_read_again() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.fillWithTroublesomeNames();
        final Runner owner = new ProcessRunner(new Accounts()).as(scene.owner);
        final TransferSettings settings = TransferSettings.of(scene.stagingRoot.toString(), "here.example");
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        CopyScene.shell("rm -rf -- \"$1\"; mkdir -p \"$1/.millrace-arriving\"", scene.staged);
        scene.belongs(scene.staged);
        final CopyTree order = scene.upload();
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
    void a_file_that_changed_at_home_while_the_job_ran_is_kept_beside_the_result() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        final Path folderOfTheUser = TestAccounts.give(Files.createDirectory(scene.source.resolve("a b")));
        for (final String name : List.of("state", "a b/*.sh", "same")) {
            TestAccounts.give(Files.writeString(scene.source.resolve(name), "before"));
        }
        scene.jobIsPlaced();
        scene.copyUp();
        CopyScene.shell(
                "cd -- \"$1\"; for f in state 'a b/*.sh' result; do echo 'of the job' >\"$f\"; done", scene.staged);
        scene.belongs(scene.staged);
        // The user edits one file, and another job that wrote its result long ago brings it home.
        Files.writeString(scene.source.resolve("a b/*.sh"), "edited");
        CopyScene.shell("echo 'of another job' >\"$1/result\"; touch -d 2001-02-03 \"$1/result\"", scene.source);
        Files.writeString(scene.source.resolve("same"), "edited");
        TestAccounts.give(scene.source.resolve("result"));

        final Result result = scene.copyDown();

        final String suffix = ".millrace-01JQZ8Y6T0000000000000000A";
        assertThat(((Result.Done) result).detail())
                .startsWith("4 files, ")
                .endsWith("; not overwritten, because they changed while the job ran: 'a b/*.sh', 'result', 'same';"
                        + " the results of the job have the suffix '" + suffix + "'");
        assertThat(scene.source.resolve("state")).hasContent("of the job");
        assertThat(folderOfTheUser.resolve("*.sh")).hasContent("edited");
        assertThat(folderOfTheUser.resolve("*.sh" + suffix)).hasContent("of the job");
        assertThat(scene.source.resolve("result")).hasContent("of another job");
        assertThat(scene.source.resolve("result" + suffix)).hasContent("of the job");
        assertThat(scene.source.resolve("same")).hasContent("edited");
        assertThat(scene.source).isDirectoryNotContaining("glob:**.millrace-kept*");
    }

    @Test
    void names_of_any_kind_are_kept_and_a_repeated_copy_changes_nothing() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.fillWithTroublesomeNames();
        scene.jobIsPlaced();
        scene.copyUp();
        CopyScene.shell("cd -- \"$1\"; find . -type f -exec sh -c 'echo result >\"$1\"' _ {} \\;", scene.staged);
        CopyScene.shell("cd -- \"$1\"; find . -type f -exec sh -c 'echo edited >\"$1\"' _ {} \\;", scene.source);
        final String edited = CopyScene.listing(scene.source);

        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);
        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);

        final String both = CopyScene.listing(scene.source);
        CopyScene.shell("find \"$1\" -name '*.millrace-01JQZ8Y6T0000000000000000A' -delete", scene.source);
        assertThat(CopyScene.listing(scene.source)).isEqualTo(edited).isNotEqualTo(both);
    }

    @Test
    void a_copy_that_fails_leaves_changed_files_as_they_are() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("script"), "before"));
        scene.jobIsPlaced();
        scene.copyUp();
        TestAccounts.give(Files.writeString(scene.staged.resolve("script"), "of the job"));
        TestAccounts.give(Files.writeString(scene.staged.resolve("x"), "a file"));
        TestAccounts.give(Files.writeString(scene.source.resolve("script"), "edited"));
        // rsync cannot put a file where a folder with contents is.
        TestAccounts.give(Files.createDirectories(scene.source.resolve("x/y")).getParent());
        TestAccounts.give(scene.source.resolve("x/y"));

        assertThat(scene.copyDown()).isInstanceOf(Result.Failed.class);

        assertThat(scene.source.resolve("script")).hasContent("edited");
        assertThat(scene.source).isDirectoryNotContaining("glob:**.millrace-kept*");
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

    @Test
    void a_stopped_copy_leaves_what_arrived_and_the_next_one_goes_on() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell(
                "cd -- \"$1\"; for i in $(seq 10 39); do head -c 300000 /dev/urandom > f$i; done", scene.source);
        scene.belongs(scene.source);
        scene.slowly(2000);
        final TreeCopies copies = scene.copies();
        final var copying = CompletableFuture.supplyAsync(() -> copies.copy(scene.upload()));
        await(() -> arrived(scene) >= 3);
        await(() -> copies.progress().stream().anyMatch(progress -> progress.bytes() > 0 && progress.percent() < 100));
        assertThat(copies.copy(scene.upload()))
                .isEqualTo(new Result.Refused(Refusal.STALE, "transfer " + scene.upload + " is being copied already"));

        assertThat(((Result.Done) copies.stop(new StopCopy(scene.upload))).detail())
                .contains("what has arrived stays");

        assertThat(((Result.Failed) copying.get()).reason()).contains("was stopped");
        assertThat(copies.progress()).isEmpty();
        await(() -> rsyncs(scene) == 0);
        final Map<String, Object> before = CopyScene.inodes(scene.staged);
        assertThat(before).hasSizeBetween(3, 29);

        assertThat(scene.slowly(0).copyUp()).isInstanceOf(Result.Done.class);

        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
        assertThat(CopyScene.inodes(scene.staged)).containsAllEntriesOf(before);
        assertThat(((Result.Done) copies.stop(new StopCopy(scene.upload))).detail())
                .startsWith("no copy");
    }

    @Test
    void a_copy_that_was_killed_goes_on_and_leaves_no_litter() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell(
                "cd -- \"$1\"; for i in $(seq 10 29); do head -c 300000 /dev/urandom > f$i; done", scene.source);
        scene.belongs(scene.source);
        final TreeCopies copies = scene.slowly(2000).copies();
        final var copying = CompletableFuture.supplyAsync(() -> copies.copy(scene.upload()));
        await(() -> arrived(scene) >= 3);

        rsyncProcesses(scene).forEach(ProcessHandle::destroyForcibly);

        assertThat(copying.get()).isInstanceOf(Result.Failed.class);
        final Map<String, Object> before = CopyScene.inodes(scene.staged);
        // What a receiver leaves that is killed between making the folder and moving its file there.
        TestAccounts.give(Files.createDirectories(scene.staged.resolve(".millrace-partial")));
        assertThat(scene.slowly(0).copyUp()).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
        assertThat(CopyScene.inodes(scene.staged)).containsAllEntriesOf(before);
    }

    @Test
    void many_copies_run_side_by_side() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.fillWithTroublesomeNames();
        final TreeCopies copies = scene.copies();
        final var all = java.util.stream.IntStream.range(1, 6)
                .mapToObj(i -> new CopyTree(
                        io.millrace.model.TransferId.of("t" + i),
                        scene.owner,
                        scene.upload().from(),
                        CopyScene.place(scene.stagingRoot.resolve(scene.owner + "/t" + i))))
                .map(order -> CompletableFuture.supplyAsync(() -> copies.copy(order)))
                .toList();
        for (final var one : all) {
            assertThat(one.get()).isInstanceOf(Result.Done.class);
        }
    }

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
        // Somebody was there first and points elsewhere.
        Files.createSymbolicLink(scene.stagingRoot.resolve("nobody"), roots);
        refused(scene, scene.staged, "is not a folder of the job's owner");
    }

    @Test
    void where_the_agent_runs_all_jobs_itself_owners_need_no_account() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("input"), "42"));
        final ProcessRunner self = new ProcessRunner(new Accounts());
        final TreeCopies copies =
                new TreeCopies(owner -> self, TransferSettings.of(scene.stagingRoot.toString(), null));
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

    /** rsync counts a link's target as its size. */
    private static String bytes(final CopyScene scene) throws Exception {
        return CopyScene.shell(
                "find \"$1\" ! -type d ! -type p -printf '%s\\n' | awk '{ n += $1 } END { printf \"%d\", n }'",
                scene.source);
    }

    private static long arrived(final CopyScene scene) {
        final String[] names = scene.staged.toFile().list((dir, name) -> name.startsWith("f"));
        return names == null ? 0 : names.length;
    }

    private static long rsyncs(final CopyScene scene) {
        return rsyncProcesses(scene).count();
    }

    private static java.util.stream.Stream<ProcessHandle> rsyncProcesses(final CopyScene scene) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().command().orElse("").endsWith("/rsync"))
                .filter(process -> process.info().commandLine().orElse("").contains(scene.stagingRoot.toString()));
    }

    private static void await(final BooleanSupplier condition) throws Exception {
        final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).isBefore(limit);
            Thread.sleep(20);
        }
    }
}
