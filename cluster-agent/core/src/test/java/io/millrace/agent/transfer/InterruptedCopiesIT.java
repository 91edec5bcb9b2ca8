package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Action.StopCopy;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies that are stopped, killed or concurrent, with real rsync. */
class InterruptedCopiesIT {

    @TempDir
    Path folder;

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

        assertThat(scene.slowly(null).copyUp()).isInstanceOf(Result.Done.class);

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
        assertThat(scene.slowly(null).copyUp()).isInstanceOf(Result.Done.class);
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
