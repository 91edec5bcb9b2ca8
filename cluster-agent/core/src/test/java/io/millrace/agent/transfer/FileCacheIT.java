package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Action.RemoveCopy;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large files shared by jobs, with real rsync. A program in the place of ssh counts the bytes from the other side. */
class FileCacheIT {

    private static final int GRID_BYTES = 6_000_000;
    private static final long ROOM = 100_000_000;

    @TempDir
    Path folder;

    private CopyScene scene;
    private Path counts;

    @BeforeEach
    void start() throws Exception {
        scene = new CopyScene(folder, CopyScene.ordinary()).caching(ROOM);
        counts = Files.createDirectory(folder.resolve("counts"));
        final Path rsh = Files.writeString(folder.resolve("rsh"), """
            #!/bin/bash
            shift
            bash -c "$*" | tee >(wc -c >"$(mktemp "${0%/*}/counts/XXXXXX")")
            """);
        CopyScene.shell("chmod 777 \"$1\"; chmod 755 \"$2\"", counts, rsh);
        scene.over("alpha.example", List.of(rsh.toString()));
        CopyScene.shell("head -c " + GRID_BYTES + " /dev/urandom >\"$1\"; chmod 644 \"$1\"", folder.resolve("grid"));
    }

    @Test
    void a_batch_that_shares_a_large_file_sends_it_once_also_when_its_jobs_are_copied_at_a_time() throws Exception {
        final TreeCopies copies = scene.copies();
        final List<CompletableFuture<Result>> all = new ArrayList<>();
        for (int n = 1; n <= 8; n++) {
            final CopyTree order = job(n, "sub " + n + "/grid-" + n + "\n.dat");
            all.add(CompletableFuture.supplyAsync(() -> copies.copy(order)));
        }
        for (final var one : all) {
            assertThat(one.get()).isInstanceOf(Result.Done.class);
        }
        copies.awaitStored();
        assertThat(received()).isBetween(GRID_BYTES * 1L, GRID_BYTES * 13L / 10);
        for (int n = 1; n <= 8; n++) {
            assertThat(CopyScene.shell(
                            "cmp -- \"$1\" \"$2\"",
                            folder.resolve("grid"),
                            staged(n, "sub " + n + "/grid-" + n + "\n.dat")))
                    .isEmpty();
        }
        assertThat(IntStream.rangeClosed(1, 8)
                        .mapToObj(n -> inode(staged(n, "sub " + n + "/grid-" + n + "\n.dat")))
                        .distinct())
                .as("no job writes into the file of another one")
                .hasSize(8);
    }

    @Test
    void the_cache_outlives_the_agent() throws Exception {
        assertThat(copy(job(1, "grid"))).isInstanceOf(Result.Done.class);
        final long once = received();
        assertThat(copy(job(2, "input"))).isInstanceOf(Result.Done.class);
        assertThat(received() - once).isLessThan(GRID_BYTES / 10);
    }

    @Test
    void what_a_job_writes_to_its_copy_reaches_no_other_job() throws Exception {
        copy(job(1, "grid"));
        CopyScene.shell("chmod u+w \"$1\"; printf changed | dd of=\"$1\" conv=notrunc status=none", staged(1, "grid"));
        assertThat(copy(job(2, "grid"))).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.shell("cmp \"$1\" \"$2\"", folder.resolve("grid"), staged(2, "grid")))
                .isEmpty();
    }

    @Test
    void a_damaged_file_of_the_cache_does_not_arrive() throws Exception {
        copy(job(1, "grid"));
        CopyScene.shell(
                "for f in \"$1\"/*; do chmod u+w \"$f\"; printf damaged | dd of=\"$f\" conv=notrunc status=none; done",
                cache());
        assertThat(copy(job(2, "grid"))).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.shell("cmp \"$1\" \"$2\"", folder.resolve("grid"), staged(2, "grid")))
                .isEmpty();
    }

    @Test
    void modes_and_times_are_those_of_the_source_and_not_of_the_cache() throws Exception {
        copy(job(1, "grid"));
        final CopyTree second = job(2, "grid");
        CopyScene.shell("touch -d '2001-02-03 04:05:06' \"$1/grid\"; chmod 750 \"$1/grid\"", source(2));
        assertThat(copy(second)).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.listing(staged(2, ""))).isEqualTo(CopyScene.listing(source(2)));
    }

    @Test
    void the_least_recently_used_files_leave_a_cache_that_is_full() throws Exception {
        scene.caching(2 * GRID_BYTES + 1000);
        copy(job(1, "grid"));
        final String first = CopyScene.shell("ls \"$1\"", cache());
        CopyScene.shell("touch -d '2001-01-01' \"$1\"/*", cache());
        for (int n = 2; n <= 3; n++) {
            final CopyTree other = job(n, "grid");
            CopyScene.shell("echo " + n + " >>\"$1\"/grid", source(n));
            assertThat(copy(other)).isInstanceOf(Result.Done.class);
        }
        assertThat(CopyScene.shell("ls \"$1\"", cache()).lines()).hasSize(2).doesNotContain(first.strip());
    }

    @Test
    void the_cache_is_the_owners_alone_and_leaves_with_the_last_copy() throws Exception {
        copy(job(1, "grid"));
        copy(job(2, "grid"));
        assertThat(CopyScene.shell("stat -c '%a %U' \"$1\"", cache()).strip()).isEqualTo("700 " + scene.owner);
        remove(1);
        assertThat(cache()).exists();
        remove(2);
        assertThat(cache()).doesNotExist();
    }

    @Test
    void the_answer_does_not_wait_for_the_cache_and_a_file_that_the_job_has_changed_since_is_not_stored()
            throws Exception {
        copy(job(1, "grid"));
        final CopyTree second = job(2, "grid");
        CopyScene.shell("echo new >>\"$1\"/grid", source(2));
        final TreeCopies copies = scene.copies();
        final Process reader = new ProcessBuilder("flock", "--shared", cache() + "/.lock", "cat").start();
        CopyScene.shell("until ! flock --exclusive --nonblock \"$1\"/.lock true; do sleep 0.05; done", cache());
        assertThat(copies.copy(second)).isInstanceOf(Result.Done.class);
        CopyScene.shell("echo more >>\"$1\"", staged(2, "grid"));
        reader.getOutputStream().close();
        copies.awaitStored();
        assertThat(CopyScene.shell("ls \"$1\"", cache()).lines()).hasSize(1);
        assertThat(CopyScene.shell("ls -A \"$1\"", cache()).lines()).hasSize(2).contains(".lock");
    }

    @Test
    void a_file_that_arrived_before_a_crash_is_stored_when_the_copy_is_repeated() throws Exception {
        final CopyTree first = job(1, "grid");
        scene.caching(0);
        copy(first);
        scene.caching(ROOM);
        copy(first);
        final long once = received();
        copy(job(2, "grid"));
        assertThat(received() - once).isLessThan(GRID_BYTES / 10);
    }

    /** The cache has the files of the copy afterwards. */
    private Result copy(final CopyTree order) throws Exception {
        final TreeCopies copies = scene.copies();
        final Result result = copies.copy(order);
        copies.awaitStored();
        return result;
    }

    private void remove(final int n) {
        assertThat(scene.copies()
                        .remove(new RemoveCopy(
                                attempt(n), scene.owner, staged(n, "").toString(), "")))
                .isInstanceOf(Result.Done.class);
    }

    /** A job in a directory of its own, with a copy of the grid under that name. */
    private CopyTree job(final int n, final String name) throws Exception {
        final Path file = source(n).resolve(name);
        Files.createDirectories(file.getParent());
        Files.copy(folder.resolve("grid"), file);
        Files.writeString(source(n).resolve("case"), "case " + n);
        scene.belongs(source(n));
        return new CopyTree(
                TransferId.of(attempt(n) + "/upload"),
                scene.owner,
                new Place(ClusterId.of("alpha"), "alpha.example", source(n).toString()),
                CopyScene.place(staged(n, "")));
    }

    private static AttemptId attempt(final int n) {
        return AttemptId.of("01JQZ8Y6T00000000000000%03d.1".formatted(n));
    }

    private Path source(final int n) {
        return folder.resolve("job " + n);
    }

    private Path staged(final int n, final String name) {
        return scene.stagingRoot.resolve(scene.owner + "/" + attempt(n)).resolve(name);
    }

    private Path cache() {
        return scene.stagingRoot.resolve(scene.owner + "/" + FileCache.FOLDER);
    }

    private static Object inode(final Path file) {
        try {
            return Files.getAttribute(file, "unix:ino");
        } catch (final java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private long received() throws Exception {
        return Long.parseLong(CopyScene.shell("cat \"$1\"/* | awk '{ n += $1 } END { printf \"%d\", n }'", counts));
    }
}
