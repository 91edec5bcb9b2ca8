package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filter rules of the owner and of a job, with real rsync. */
class FilteredCopiesIT {

    @TempDir
    Path folder;

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
        assertThat(CopyScene.shell(
                                "cd -- \"$1\"; find . -type f ! -name .millrace-uploaded | LC_ALL=C sort", scene.staged)
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
        assertThat(CopyScene.shell(
                                "cd -- \"$1\"; find . -type f ! -name .millrace-uploaded | LC_ALL=C sort", scene.staged)
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
}
