package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that the user changes while the job runs, with real rsync. */
class ChangedFilesIT {

    @TempDir
    Path folder;

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
                .startsWith("3 files, ")
                .endsWith("; not overwritten, because they changed while the job ran: 'a b/*.sh', 'result';"
                        + " the results of the job have the suffix '" + suffix + "'");
        assertThat(scene.source.resolve("state")).hasContent("of the job");
        assertThat(folderOfTheUser.resolve("*.sh")).hasContent("edited");
        assertThat(folderOfTheUser.resolve("*.sh" + suffix)).hasContent("of the job");
        assertThat(scene.source.resolve("result")).hasContent("of another job");
        assertThat(scene.source.resolve("result" + suffix)).hasContent("of the job");
        assertThat(scene.source.resolve("same")).hasContent("edited");
        assertThat(scene.source.resolve("same" + suffix)).doesNotExist();
        assertThat(scene.source).isDirectoryNotContaining("glob:**.millrace-{kept,uploaded}*");
    }

    @Test
    void files_that_only_changed_at_home_stay_whatever_their_names() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        scene.fillWithTroublesomeNames();
        scene.jobIsPlaced();
        scene.copyUp();
        CopyScene.shell("cd -- \"$1\"; find . -type f -exec sh -c 'echo edited >\"$1\"' _ {} \\;", scene.source);
        CopyScene.shell("cd -- \"$1\"; for f in result '[x'; do echo \"$f\" >\"$f\"; done", scene.staged);
        scene.belongs(scene.staged);
        final String edited = CopyScene.listing(scene.source);

        assertThat(((Result.Done) scene.copyDown()).detail()).doesNotContain("not overwritten");

        assertThat(scene.source.resolve("result")).hasContent("result");
        CopyScene.shell("cd -- \"$1\"; rm result '[x'", scene.source);
        assertThat(CopyScene.listing(scene.source)).isEqualTo(edited);
    }

    /** As many as the tasks of an array in one directory: they start and end, on several clusters, while others are copied. */
    @Test
    void jobs_that_share_a_directory_neither_copy_nor_multiply_the_files_of_other_runs() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        for (final String name : List.of(
                "input",
                ".millrace-17.starts",
                ".millrace-3.starts",
                "table.millrace-01JQZ8Y6T0000000000000000B",
                "table.millrace-01JQZ8Y6T0000000000000000B.~1~",
                "input.millrace-kept-01JQZ8Y6T0000000000000000C",
                "millrace-01JQZ8Y6T0000000000000000D.out")) {
            TestAccounts.give(Files.writeString(scene.source.resolve(name), "of another run"));
        }
        scene.jobIsPlaced();
        scene.copyUp();
        assertThat(CopyScene.names(scene.staged))
                .containsExactlyInAnyOrder("input", ".millrace-uploaded", "millrace-01JQZ8Y6T0000000000000000D.out");

        CopyScene.shell("cd -- \"$1\"; echo mine >.millrace-17.starts; echo done >result", scene.staged);
        scene.belongs(scene.staged);
        Files.writeString(scene.source.resolve("millrace-01JQZ8Y6T0000000000000000D.out"), "more of another run");
        final List<String> before = CopyScene.names(scene.source);

        assertThat(((Result.Done) scene.copyDown()).detail())
                .startsWith("2 files, ")
                .doesNotContain("not overwritten");

        assertThat(CopyScene.names(scene.source))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(before.stream(), Stream.of("result")).toList());
        assertThat(scene.source.resolve("millrace-01JQZ8Y6T0000000000000000D.out"))
                .hasContent("more of another run");
        assertThat(scene.source.resolve(".millrace-17.starts")).hasContent("of another run");
    }

    @Test
    void results_of_many_jobs_arrive_in_one_directory_at_the_same_time() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("input"), "data"));
        scene.jobIsPlaced();
        scene.copyUp();
        final TreeCopies copies = scene.copies();
        final List<CopyTree> downloads = IntStream.range(0, 8)
                .mapToObj(number -> new CopyTree(
                        TransferId.of("01JQZ8Y6T000000000000000" + number + "A.1/download"),
                        scene.owner,
                        new Place(
                                ClusterId.of("beta"),
                                null,
                                folder.resolve("staged-" + number).toString()),
                        scene.download().to(),
                        scene.download().keepChangedSince(),
                        null,
                        null,
                        ""))
                .toList();
        for (final CopyTree download : downloads) {
            final Path staged = Path.of(download.from().path());
            CopyScene.shell(
                    "cp -a -- \"$1\" \"$2\"; cd -- \"$2\"; for n in $(seq 200); do echo x >\"${2##*/}-$n\"; done; echo"
                            + " \"$2\" >same",
                    scene.staged,
                    staged);
            scene.belongs(staged);
        }

        final List<Result> all = downloads.parallelStream().map(copies::copy).toList();

        assertThat(all).allMatch(Result.Done.class::isInstance);
        assertThat(CopyScene.names(scene.source))
                .contains("staged-0-1", "staged-7-200", "same")
                .doesNotContain(Rsync.ARRIVING);
        assertThat(CopyScene.shell("cd -- \"$1\"; cat same*", scene.source).lines())
                .as("no result is lost, whichever job came first")
                .containsExactlyInAnyOrderElementsOf(
                        downloads.stream().map(one -> one.from().path()).toList());
    }

    @Test
    void an_upload_ends_although_other_jobs_write_to_the_directory_all_the_time() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary());
        TestAccounts.give(Files.writeString(scene.source.resolve("input"), "data"));
        final Process others = new ProcessBuilder(
                        "bash",
                        "-c",
                        "cd -- \"$1\"; while :; do echo line >>millrace-01JQZ8Y6T0000000000000000D.out; :"
                                + " >result-$((++n)); done",
                        "others",
                        scene.source.toString())
                .start();
        try {
            CopyScene.shell("until [[ -e $1/result-9 ]]; do sleep 0.01; done", scene.source);
            assertThat(scene.copyUp()).isInstanceOf(Result.Done.class);
        } finally {
            others.destroyForcibly().waitFor();
        }
        assertThat(scene.staged.resolve("input")).hasContent("data");
        assertThat(scene.staged.resolve("millrace-01JQZ8Y6T0000000000000000D.out"))
                .exists();
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
}
