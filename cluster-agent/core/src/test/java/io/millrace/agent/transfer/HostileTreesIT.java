package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.VetoCode;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Result;
import io.millrace.testing.Attack;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What survives a copy there and back, and what is refused, with real rsync. */
class HostileTreesIT {

    /** The lists of the attacks on a running site; a new case is a new line there. */
    private static final Path LISTS = Path.of("../../lab/attacks/src/test/resources/attacks");

    /** Makes the files of the lists, except those that no copy can read, or only in hours. */
    private static final String MAKE = """
        export LC_ALL=C.UTF-8
        lists=("$(realpath -- "$2")" "$(realpath -- "$3")")
        cd -- "$1"
        while IFS=$'\\t' read -r expected name made; do
            case $expected:$name in '#'* | :* | *:sparse | *:locked) continue ;; esac
            if [[ $name =~ ^\\<(.)\\>\\*([0-9]+)$ ]]; then
                name=$(printf "%*s" "${BASH_REMATCH[2]}" "" | tr ' ' "${BASH_REMATCH[1]}")
            fi
            printf -v f %b "$name"
            export f=./$f
            if [[ $made ]]; then bash -c "$made"; else printf inside >"$f"; fi
        done < <(cat -- "${lists[@]}")
        """;

    @TempDir
    Path folder;

    @Test
    void holes_in_files_are_kept() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell("cd -- \"$1\"; truncate -s 200M grid; printf end >>grid", scene.source);
        scene.belongs(scene.source);

        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);

        assertThat(Files.size(scene.staged.resolve("grid"))).isEqualTo(200L * 1024 * 1024 + 3);
        assertThat(Long.parseLong(CopyScene.shell("stat -c %b \"$1\"", scene.staged.resolve("grid"))
                        .strip()))
                .as("blocks of 512 bytes")
                .isLessThan(1000);
        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
    }

    @Test
    void hard_links_stay_links_there_and_back() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell("cd -- \"$1\"; mkdir 'a b'; echo one >first; ln first 'a b/-second'", scene.source);
        scene.belongs(scene.source);

        assertThat(((Result.Done) scene.copyUp()).detail()).startsWith("2 files, ");
        CopyScene.shell("cd -- \"$1\"; echo two >result; ln result 'a b/again'", scene.staged);
        scene.belongs(scene.staged);
        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);

        assertThat(inode(scene.staged.resolve("a b/-second"))).isEqualTo(inode(scene.staged.resolve("first")));
        assertThat(inode(scene.source.resolve("a b/-second"))).isEqualTo(inode(scene.source.resolve("first")));
        assertThat(inode(scene.source.resolve("a b/again"))).isEqualTo(inode(scene.source.resolve("result")));
    }

    @Test
    @Attack("a copied file keeps a set-user-id bit")
    void no_file_arrives_with_a_set_user_id_bit_and_shared_folders_stay_shared() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell("cd -- \"$1\"; cp /bin/true tool; mkdir shared", scene.source);
        scene.belongs(scene.source);
        CopyScene.shell("cd -- \"$1\"; chmod 6755 tool; chmod 2775 shared", scene.source);

        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);

        assertThat(mode(scene.staged.resolve("tool"))).isEqualTo("755");
        assertThat(mode(scene.staged.resolve("shared"))).isEqualTo("2775");
    }

    @Test
    @Attack("a tree with files of hostile names and kinds is copied to another cluster and back")
    void names_and_kinds_of_the_lists_arrive_as_they_are_and_are_not_followed() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        final Path outside = TestAccounts.give(Files.writeString(folder.resolve("outside"), "secret"));
        CopyScene.shell(MAKE, scene.source, LISTS.resolve("hostile-files.txt"), LISTS.resolve("hostile-trees.txt"));
        scene.belongs(scene.source);
        final String made = CopyScene.listing(scene.source);
        assertThat(Long.parseLong(CopyScene.shell("find \"$1\" -mindepth 1 -maxdepth 1 -printf x | wc -c", scene.source)
                        .strip()))
                .isGreaterThan(60);

        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.listing(scene.staged)).isEqualTo(made);
        assertThat(special(scene.staged)).as("devices, pipes, sockets").isEmpty();

        CopyScene.shell(
                "find \"$1\" -mindepth 1 -maxdepth 1 ! -name .millrace-uploaded -exec rm -rf -- {} +", scene.source);
        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.listing(scene.source)).as("the way back").isEqualTo(made);

        assertThat(outside).hasContent("secret");
        assertThat(CopyScene.shell("find \"$1\" -name hacked", folder)).isEmpty();
    }

    @Test
    @Attack("a link that waits at the destination leads a copy out of the tree")
    void a_link_at_the_destination_is_replaced_and_not_followed() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell(
                "cd -- \"$1\"; mkdir sub deep deep/er; echo new >sub/keys; echo new >file; echo new >deep/er/keys",
                scene.source);
        scene.belongs(scene.source);
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        final Path victim = Files.createDirectories(folder.resolve("victim"));
        CopyScene.shell("""
            echo old >"$2/keys"; cd -- "$1"; rm -r sub file deep/er
            ln -s "$2" sub; ln -s "$2/keys" file; ln -s "$2" deep/er
            """, scene.staged, victim);
        scene.belongs(victim);
        scene.belongs(scene.staged);

        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);

        assertThat(CopyScene.names(victim)).containsExactly("keys");
        assertThat(victim.resolve("keys")).hasContent("old");
        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
    }

    private static String special(final Path tree) throws Exception {
        return CopyScene.shell("find \"$1\" ! -type f ! -type d ! -type l", tree);
    }

    @Test
    void a_file_is_replaced_at_once_so_that_a_reader_sees_the_old_or_the_new_one() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("state"), "old"));
        scene.copyUp();
        TestAccounts.give(Files.writeString(scene.staged.resolve("state"), "of the job"));
        final Path second = Files.createLink(folder.resolve("as a reader has it open"), scene.source.resolve("state"));

        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);

        assertThat(scene.source.resolve("state")).hasContent("of the job");
        assertThat(second).hasContent("old");
    }

    @Test
    void read_only_files_and_folders_arrive_as_they_are_also_a_second_time() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        CopyScene.shell("cd -- \"$1\"; mkdir -p tree/leaf; echo 1 >tree/leaf/file", scene.source);
        scene.belongs(scene.source);
        CopyScene.shell("cd -- \"$1\"; chmod 440 tree/leaf/file; chmod 550 tree/leaf tree", scene.source);

        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);

        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
    }

    @Test
    void a_source_that_is_written_during_the_copy_is_detected() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        final Path growing = TestAccounts.give(Files.createFile(scene.source.resolve("log")));
        final Process writer = new ProcessBuilder(
                        "bash",
                        "-c",
                        "n=0; while :; do printf '%d\\n' $((n++)) >>\"$1\"; done",
                        "w",
                        growing.toString())
                .start();
        try {
            assertThat(((Result.Failed) scene.copyUp()).reason())
                    .contains("still differ", "log", "stop any program that writes to the source");
        } finally {
            writer.destroyForcibly().waitFor();
        }
        assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
    }

    @Test
    void a_full_disk_is_named_and_the_copy_goes_on_when_there_is_room() throws Exception {
        assumeTrue(CopyScene.me().equals("root"), "needs root");
        final CopyScene scene = new CopyScene(folder, "nobody");
        CopyScene.shell("head -c 3000000 /dev/urandom >\"$1/big\"; echo 1 >\"$1/a\"", scene.source);
        scene.belongs(scene.source);
        final Path small = Files.createDirectory(folder.resolve("small"));
        CopyScene.shell("mount -t tmpfs -o size=1m,mode=1777 millrace-test \"$1\"", small);
        try {
            CopyScene.shell("mkdir \"$1/home\"", small);
            scene.belongs(small.resolve("home"));
            final CopyTree order = new CopyTree(
                    scene.upload, scene.owner, scene.upload().from(), CopyScene.place(small.resolve("home")));

            assertThat(scene.copies().copy(order)).isInstanceOfSatisfying(Result.Failed.class, failed -> {
                assertThat(failed.reason()).contains("No space left on device", "make room at the destination");
                assertThat(failed.code()).isEqualTo(VetoCode.DISK_FULL.code());
            });
            CopyScene.shell("mount -o remount,size=9m \"$1\"", small);
            assertThat(scene.copies().copy(order)).isInstanceOf(Result.Done.class);
            assertThat(CopyScene.listing(small.resolve("home"))).isEqualTo(CopyScene.listing(scene.source));
        } finally {
            CopyScene.shell("umount \"$1\"", small);
        }
    }

    private static Object inode(final Path file) throws Exception {
        return Files.getAttribute(file, "unix:ino");
    }

    private static String mode(final Path file) throws Exception {
        return CopyScene.shell("stat -c %a \"$1\"", file).strip();
    }
}
