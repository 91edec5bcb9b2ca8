package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.transfer.objectstore.ObjectStore;
import io.millrace.model.AttemptId;
import io.millrace.model.TransferId;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Action.RemoveCopy;
import io.millrace.model.command.Action.SendTree;
import io.millrace.model.command.Action.StopCopy;
import io.millrace.model.command.Result;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real rclone: the store is a folder of this machine, or a WebDAV server of the test. */
class ObjectStoreIT {

    private static final AttemptId ATTEMPT = AttemptId.of("01JQZ8Y6T0000000000000000A.1");

    @TempDir
    Path folder;

    private Path bucket;
    private ObjectStore store;
    private CopyScene scene;

    @BeforeEach
    void a_store_that_only_the_agent_can_read() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/rclone")), "rclone is not installed");
        bucket = Files.createDirectory(
                folder.resolve("bucket"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        store = ObjectStore.open("disk:" + bucket, config("[disk]\ntype = local\n"));
        scene = new CopyScene(folder, CopyScene.ordinary()).through(store);
    }

    @Test
    void a_tree_goes_there_and_back_whatever_its_names() throws Exception {
        fill();

        final Result sent = send(scene.upload());
        final Result arrived = scene.copyUp();

        assertThat(sent).isInstanceOf(Result.Done.class);
        assertThat(arrived).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
        assertThat(CopyScene.shell(
                        "cd -- \"$1\"; [[ hard -ef big && 'large link' -ef $'large\\n\\377' ]]; du -k sparse",
                        scene.staged))
                .as("hard links, and a sparse file")
                .startsWith("0\t");
        assertThat(scene.source.resolve("hacked")).doesNotExist();
        assertThat(CopyScene.shell("cd -- \"$1\"; chmod u+w locked; find . -name '.millrace*'", scene.staged)
                        .strip())
                .isEqualTo("./" + Rsync.UPLOADED);

        CopyScene.shell("""
            cd -- "$1"; head -c 11000000 /dev/urandom >result; echo x >'a b/small result'
            """, scene.staged);
        scene.belongs(scene.staged);
        assertThat(send(scene.download())).isInstanceOf(Result.Done.class);
        assertThat(objects()).as("large inputs are not sent back").hasSize(4);
        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.shell("cd -- \"$1\"; sha256sum <result", scene.source))
                .isEqualTo(CopyScene.shell("cd -- \"$1\"; sha256sum <result", scene.staged));
        assertThat(scene.source.resolve("a b/small result")).hasContent("x");

        assertThat(remove()).isInstanceOf(Result.Done.class);
        assertThat(bucket).isEmptyDirectory();
        assertThat(remove()).as("repeated").isInstanceOf(Result.Done.class);
    }

    @Test
    void a_file_of_several_jobs_is_sent_once_and_kept_for_the_last() throws Exception {
        CopyScene.shell("cd -- \"$1\"; head -c 11000000 /dev/urandom >grid", scene.source);
        scene.belongs(scene.source);
        send(scene.upload());
        CopyScene.shell(
                "cd -- \"$1\"; cp grid 'other name'; rm grid; chmod 400 \"$2\"/*", scene.source, objectFolder());
        final String before = CopyScene.shell("stat -c '%i %y' \"$1\"/*", objectFolder());
        final CopyTree second = ofAnotherJob();

        assertThat(send(second)).isInstanceOf(Result.Done.class);

        assertThat(CopyScene.shell("stat -c '%i %y' \"$1\"/*", objectFolder())).isEqualTo(before);
        assertThat(remove()).isInstanceOf(Result.Done.class);
        assertThat(scene.copies().copy(second)).isInstanceOf(Result.Done.class);
        assertThat(Path.of(second.to().path()).resolve("other name")).hasSize(11000000);
    }

    @Test
    void a_file_of_several_jobs_is_fetched_once() throws Exception {
        scene.caching(20_000_000);
        CopyScene.shell("cd -- \"$1\"; head -c 11000000 /dev/urandom >grid; ln grid link", scene.source);
        scene.belongs(scene.source);
        send(scene.upload());
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        CopyScene.shell("cd -- \"$1\"; mv grid 'other name'; chmod 600 link", scene.source);
        final CopyTree second = ofAnotherJob();
        send(second);
        CopyScene.shell("rm \"$1\"/*", objectFolder());
        CopyScene.shell("cd -- \"$1\"; echo changed by the first job >>grid", scene.staged);

        assertThat(scene.copies().copy(second)).isInstanceOf(Result.Done.class);

        assertThat(CopyScene.listing(Path.of(second.to().path()))).isEqualTo(CopyScene.listing(scene.source));
    }

    @Test
    void a_damaged_file_of_the_cache_is_fetched_again() throws Exception {
        scene.caching(20_000_000);
        CopyScene.shell("cd -- \"$1\"; head -c 11000000 /dev/urandom >grid", scene.source);
        scene.belongs(scene.source);
        send(scene.upload());
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        final Path cached = scene.stagingRoot.resolve(scene.owner + "/" + FileCache.FOLDER);
        CopyScene.shell("""
            chmod 600 "$1"/*-*; printf x | dd of="$(echo "$1"/*-*)" bs=1 seek=5000000 conv=notrunc status=none
            """, cached);
        final CopyTree second = ofAnotherJob();
        send(second);

        assertThat(scene.copies().copy(second)).isInstanceOf(Result.Done.class);

        assertThat(CopyScene.listing(Path.of(second.to().path()))).isEqualTo(CopyScene.listing(scene.source));
        assertThat(CopyScene.shell("sha256sum <\"$(echo \"$1\"/*-*)\"", cached))
                .isEqualTo(CopyScene.shell("sha256sum <\"$1\"/grid", scene.source));
    }

    @Test
    void a_damaged_object_is_found_and_sent_again() throws Exception {
        CopyScene.shell("cd -- \"$1\"; head -c 11000000 /dev/urandom >grid", scene.source);
        scene.belongs(scene.source);
        send(scene.upload());
        CopyScene.shell(
                "printf x | dd of=\"$(echo \"$1\"/*)\" bs=1 seek=5000000 conv=notrunc status=none", objectFolder());

        assertThat(((Result.Failed) scene.copyUp()).reason())
                .contains("is missing or damaged")
                .contains("sends it again");
        assertThat(scene.staged.resolve("grid")).doesNotExist();

        send(scene.upload());
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
    }

    @Test
    void a_damaged_archive_is_found() throws Exception {
        fill();
        send(scene.upload());
        CopyScene.shell(
                "printf x | dd of=\"$(echo \"$1\"/tree-*)\" bs=1 seek=50000 conv=notrunc status=none",
                transferFolder());

        assertThat(((Result.Failed) scene.copyUp()).reason()).contains("is missing or damaged");
        assertThat(scene.staged.resolve("big")).doesNotExist();
    }

    @Test
    void what_crashed_agents_left_is_replaced() throws Exception {
        fill();
        send(scene.upload());
        CopyScene.shell("""
            rm "$2"/manifest; for object in "$1"/*; do truncate -s 1000 "$object"; done
            """, objectFolder(), transferFolder());
        assertThat(scene.copyUp()).as("the manifest is written last").isInstanceOf(Result.Failed.class);
        final String left = Rsync.arriving(scene.upload()) + "/";
        CopyScene.shell(
                "cd -- \"$1\"; mkdir -p $2/objects $2/tree/locked; echo x >$2/objects/.new; echo x >$2/tree/locked/old; chmod 500 $2/tree/locked",
                scene.staged,
                Path.of(left));
        scene.belongs(scene.staged);

        assertThat(send(scene.upload())).isInstanceOf(Result.Done.class);
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);

        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
    }

    @Test
    void a_stopped_copy_is_continued_within_the_file() throws Exception {
        CopyScene.shell("cd -- \"$1\"; head -c 12000000 /dev/urandom >one", scene.source);
        scene.belongs(scene.source);
        send(scene.upload());
        final TreeCopies slow = scene.slowly(2000).copies();
        final CompletableFuture<Result> first = CompletableFuture.supplyAsync(() -> slow.copy(scene.upload()));
        await(() -> slow.progress().stream().anyMatch(copy -> copy.bytes() > 0), first);
        slow.stop(new StopCopy(scene.upload));
        assertThat(((Result.Failed) first.get()).reason()).contains("was stopped");
        CopyScene.shell("[[ ! -e \"$1\"/one ]]", scene.staged);
        CopyScene.shell(
                "printf 'other bytes' | dd of=\"$(echo \"$1\"/*)\" bs=1 conv=notrunc status=none", objectFolder());

        assertThat(scene.slowly(0).copyUp()).isInstanceOf(Result.Done.class);

        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
    }

    @Test
    void a_source_that_changes_is_noticed() throws Exception {
        CopyScene.shell("cd -- \"$1\"; head -c 12000000 /dev/urandom >grid; echo 1 >small", scene.source);
        scene.belongs(scene.source);
        final TreeCopies slow = scene.slowly(2000).copies();
        final CompletableFuture<Result> sending =
                CompletableFuture.supplyAsync(() -> slow.send(CopyScene.sending(scene.upload())));
        await(() -> slow.progress().stream().anyMatch(copy -> copy.bytes() > 0), sending);
        CopyScene.shell("cd -- \"$1\"; echo 2 >small", scene.source);

        assertThat(((Result.Failed) sending.get()).reason()).contains("changed while they were sent");
        assertThat(transferFolder().resolve("manifest")).doesNotExist();
    }

    @Test
    void what_changed_at_home_is_kept() throws Exception {
        CopyScene.shell("cd -- \"$1\"; echo 1 >notes", scene.source);
        scene.belongs(scene.source);
        scene.jobIsPlaced();
        send(scene.upload());
        scene.copyUp();
        CopyScene.shell("cd -- \"$1\"; echo home >notes; echo away >\"$2\"/notes", scene.source, scene.staged);
        send(scene.download());

        assertThat(((Result.Done) scene.copyDown()).detail())
                .contains("not overwritten")
                .contains("'notes'");

        assertThat(scene.source.resolve("notes")).hasContent("home");
    }

    @Test
    void filters_apply() throws Exception {
        CopyScene.shell(
                "cd -- \"$1\"; echo x >a.tmp; echo x >kept; head -c 12000000 /dev/zero >big.tmp; echo '- *.tmp' >.millrace-filter",
                scene.source);
        scene.belongs(scene.source);

        send(scene.upload());
        scene.copyUp();

        assertThat(CopyScene.shell("cd -- \"$1\"; ls -A", scene.staged).lines())
                .containsExactlyInAnyOrder(".millrace-filter", Rsync.UPLOADED, "kept");
        assertThat(objectFolder()).doesNotExist();
    }

    @Test
    void a_file_that_the_owner_cannot_read_is_not_sent() throws Exception {
        CopyScene.shell("cd -- \"$1\"; echo secret >mine; chmod 000 mine", scene.source);
        scene.belongs(scene.source);
        assertThat(((Result.Failed) send(scene.upload())).reason())
                .contains("mine")
                .contains("Permission denied")
                .contains("accessible");
        CopyScene.shell("cd -- \"$1\"; rm -f mine; head -c 12000000 /dev/urandom >mine; chmod 000 mine", scene.source);
        scene.belongs(scene.source);
        assertThat(((Result.Failed) send(scene.upload())).reason())
                .contains("mine")
                .contains("Permission denied")
                .contains("accessible");
    }

    @Test
    void a_server_with_other_credentials_and_a_server_that_is_away_are_named() throws Exception {
        fill();
        final int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        final Process server = new ProcessBuilder(
                        "rclone",
                        "serve",
                        "webdav",
                        bucket.toString(),
                        "--addr=127.0.0.1:" + port,
                        "--user=millrace",
                        "--pass=right")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
        try {
            await(() -> accepts(port), new CompletableFuture<>());
            scene.through(webdav(port, "right"));
            assertThat(send(scene.upload())).isInstanceOf(Result.Done.class);
            assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
            assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
            assertThat(remove()).isInstanceOf(Result.Done.class);
            assertThat(bucket).isEmptyDirectory();

            scene.through(webdav(port, "wrong"));
            assertThat(((Result.Failed) send(scene.upload())).reason())
                    .contains("refuses the credentials")
                    .contains("'dav' in " + folder.resolve("rclone.conf"))
                    .doesNotContain("wrong");
        } finally {
            server.destroy();
            server.waitFor();
        }
        assertThat(((Result.Failed) send(scene.upload())).reason()).contains("no connection");
        assertThat(((Result.Failed) scene.copyUp()).reason()).contains("no connection");
        scene.through(new ObjectStore("unknown:x", store.config()));
        assertThat(((Result.Failed) send(scene.upload())).reason()).contains("correct the remote 'unknown'");
    }

    @Test
    void a_configuration_that_others_can_read_is_refused() throws Exception {
        Files.setPosixFilePermissions(store.config(), PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> ObjectStore.open("disk:x", store.config())).hasMessageContaining("mode 0600");
        assertThatThrownBy(() -> new ObjectStore(":s3,secret_access_key=x:bucket", store.config()))
                .hasMessageContaining("REMOTE:BUCKET/PREFIX");
    }

    private void fill() throws Exception {
        scene.fillWithTroublesomeNames();
        CopyScene.shell("""
            cd -- "$1"; ln big hard; truncate -s 9000000 sparse; mkdir locked; echo x >locked/file
            head -c 12000000 /dev/urandom >$'large\\n\\377'; ln $'large\\n\\377' 'large link'; cp $'large\\n\\377' 'a b/same contents'
            head -c 11000000 /dev/urandom >locked/large; chmod 400 locked/large; touch -d '2001-02-03 04:05:06.789' locked/large
            head -c 13000000 /dev/urandom >' leading and trailing '
            """, scene.source);
        scene.belongs(scene.source);
        CopyScene.shell("chmod 500 \"$1\"/locked", scene.source);
    }

    private CopyTree ofAnotherJob() {
        return new CopyTree(
                TransferId.of("01JQZ8Y6T0000000000000000B.1/upload"),
                scene.owner,
                scene.upload().from(),
                CopyScene.place(scene.stagingRoot.resolve(scene.owner + "/01JQZ8Y6T0000000000000000B.1")),
                null,
                null,
                null,
                store.name());
    }

    private Result send(final CopyTree copy) {
        return send(CopyScene.sending(copy));
    }

    private Result send(final SendTree order) {
        return scene.copies().send(order);
    }

    private Result remove() {
        return scene.copies().remove(new RemoveCopy(ATTEMPT, scene.owner, scene.staged.toString()));
    }

    private Path objectFolder() {
        return bucket.resolve(scene.owner + "/objects");
    }

    private Path transferFolder() {
        return bucket.resolve(scene.owner + "/" + scene.upload);
    }

    private java.util.List<Path> objects() throws Exception {
        try (var files = Files.list(objectFolder())) {
            return files.toList();
        }
    }

    private Path config(final String text) throws Exception {
        final Path file = folder.resolve("rclone.conf");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private ObjectStore webdav(final int port, final String password) throws Exception {
        final String obscured =
                CopyScene.shell("rclone obscure \"$1\"", Path.of(password)).strip();
        return ObjectStore.open(
                "dav:",
                config("[dav]\ntype = webdav\nvendor = other\nurl = http://127.0.0.1:" + port
                        + "\nuser = millrace\npass = " + obscured + "\n"));
    }

    private static boolean accepts(final int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (final java.io.IOException e) {
            return false;
        }
    }

    /** Waits until the condition holds; fails if the work ends before. */
    private static void await(final java.util.function.BooleanSupplier condition, final CompletableFuture<Result> work)
            throws Exception {
        while (!condition.getAsBoolean()) {
            assertThat(work.isDone()).as("ended too early").isFalse();
            Thread.sleep(50);
        }
    }
}
