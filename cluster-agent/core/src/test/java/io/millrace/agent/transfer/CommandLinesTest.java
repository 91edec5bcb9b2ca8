package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.DamagedOutput;
import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.VetoCode;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is asked and how answers are read; nothing runs. */
class CommandLinesTest {

    private static final TransferSettings SETTINGS = TransferSettings.of("/staging/", "beta.example");
    private static final Place TO = new Place(ClusterId.of("beta"), "beta.example", "/staging/anna/01A.1");

    @Test
    void a_copy_from_another_host_goes_by_ssh() {
        final List<String> argv =
                copy("alpha.example", "/home/anna/my job; rm -rf ~").argv();
        assertThat(argv).containsSequence("rsync", "-s", "--archive").doesNotContain("--delete");
        assertThat(argv)
                .containsSubsequence(
                        "-e",
                        "ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o ServerAliveCountMax=4");
        assertThat(argv).endsWith("--", "alpha.example:/home/anna/my job; rm -rf ~/", "/staging/anna/01A.1/");
    }

    @Test
    void a_copy_on_one_host_is_direct() {
        assertThat(copy(null, "/home/anna/job").argv()).endsWith("--", "/home/anna/job/", "/staging/anna/01A.1/");
        assertThat(copy("beta.example", "/home/anna/job").argv())
                .endsWith("--", "/home/anna/job/", "/staging/anna/01A.1/");
    }

    @Test
    void only_a_valid_host_is_accepted_as_a_host() {
        assertThat(copy("2001:db8::1", "/a").argv()).contains("[2001:db8::1]:/a/");
        for (final String bad : List.of("-oProxyCommand=sh", "a b", "a;b", "", "a/b", "$(x)")) {
            assertThatThrownBy(() -> copy(bad, "/a").argv()).as(bad).hasMessageContaining("not the name of a host");
        }
    }

    @Test
    void words_of_the_ssh_command_may_hold_blanks_and_quotes() {
        final TransferSettings settings = new TransferSettings(
                "/s",
                null,
                List.of("ssh", "-i", "/my keys/anna's"),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                0);
        assertThat(new CopyTrees(settings, order(null, "/a"), false).argv()).contains("ssh -i '/my keys/anna''s'");
    }

    @Test
    void a_stalled_copy_and_a_long_checksum_have_their_own_limits() {
        assertThat(copy(null, "/a").argv()).contains("--timeout=300").doesNotContain("--checksum");
        assertThat(new CopyTrees(SETTINGS, order(null, "/a"), true).argv()).contains("--timeout=7200", "--checksum");
        assertThat(new CompareTrees(SETTINGS, order(null, "/a")).argv())
                .contains("--timeout=7200", "--checksum", "--dry-run", "-ii")
                .doesNotContain("--partial-dir");
    }

    @Test
    void the_order_limits_the_bandwidth() {
        assertThat(limit(null)).isEmpty();
        assertThat(limit(400)).containsExactly("--bwlimit=400");
    }

    private static List<String> limit(final Integer kib_s) {
        final CopyTree order = order(null, "/a");
        final CopyTree limited = new CopyTree(order.transfer(), order.owner(), order.from(), TO, null, null, kib_s, "");
        return new CopyTrees(SETTINGS, limited, false)
                .argv().stream().filter(word -> word.startsWith("--bwlimit")).toList();
    }

    @Test
    void a_comparison_takes_paths_as_arguments_not_as_text() {
        final List<String> argv = new CompareTrees(SETTINGS, order(null, "/a$(x)")).argv();
        assertThat(argv.get(2)).doesNotContain("/a").doesNotContain("/staging");
        assertThat(argv)
                .startsWith("bash", "-c")
                .contains("/staging/anna/01A.1")
                .endsWith("--", "/a$(x)/", "/staging/anna/01A.1/");
    }

    @Test
    void figures_are_read_from_the_statistics() {
        assertThat(read(
                        0,
                        "Number of files: 9 (reg: 4, dir: 3, link: 1, special: 1)\nTotal file size: 1523 bytes\n",
                        ""))
                .isEqualTo(Answer.ok(new CopyTrees.Copied(4, 1523)));
        assertThat(read(0, "Number of files: 1 (dir: 1)\nTotal file size: 0 bytes\n", ""))
                .isEqualTo(Answer.ok(new CopyTrees.Copied(0, 0)));
        assertThat(read(
                        24,
                        "Number of files: 2 (reg: 1, dir: 1)\nTotal file size: 5 bytes\n",
                        "file has vanished: \"/a/b\""))
                .isEqualTo(Answer.ok(new CopyTrees.Copied(1, 5)));
        assertThat(trouble(read(0, "total 5", "")).kind()).isEqualTo(Answer.Kind.UNREADABLE);
    }

    @Test
    void progress_is_read_from_the_lines_of_rsync() {
        final TransferId id = TransferId.of("01A.1/upload");
        assertThat(ProgressLine.read(id, "       57475072  10%   54.78MB/s    0:01:08  "))
                .contains(new CopyProgress(id, 57475072, 10, 57_440_993, 68L));
        assertThat(ProgressLine.read(id, "          32768   0%    0.00kB/s    ??:??:??  "))
                .contains(new CopyProgress(id, 32768, 0, 0, null));
        assertThat(ProgressLine.read(id, "      536870912 100%  146.38kB/s    1:00:08 (xfr#5, to-chk=0/396)"))
                .contains(new CopyProgress(id, 536870912, 100, 149_893, 0L));
        for (final String other : List.of("", "Number of files: 9 (reg: 4)", ">f+++++++++ ab/1/10% 5", "1 2% 3")) {
            assertThat(ProgressLine.read(id, other)).as(other).isEmpty();
        }
    }

    @Test
    void an_unreadable_file_is_named_with_the_remedy() {
        final var trouble = trouble(read(23, "", """
            rsync: [sender] send_files failed to open "/home/anna/job/secret": Permission denied (13)
            rsync error: some files/attrs were not transferred (see previous errors) (code 23) at main.c(1338)
            """));
        assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
        assertThat(trouble.reason())
                .isEqualTo("copying alpha:/home/anna/job to beta:/staging/anna/01A.1: send_files failed to open"
                        + " \"/home/anna/job/secret\": Permission denied (13); make it accessible to the job's"
                        + " owner or move it away");
    }

    @Test
    void of_many_complaints_the_first_are_named_and_the_rest_counted() {
        final StringBuilder error = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            error.append("rsync: [sender] send_files failed to open \"/f" + i + "\": Permission denied (13)\n");
        }
        assertThat(trouble(read(23, "", error.toString())).reason())
                .contains("\"/f4\"")
                .doesNotContain("\"/f5\"")
                .contains("and 95 more");
    }

    @Test
    void every_kind_of_end_has_its_sentence() {
        assertThat(trouble(read(30, "", "rsync error: timeout in data send/receive (code 30)"))
                        .kind())
                .isEqualTo(Answer.Kind.TIMEOUT);
        assertThat(trouble(read(255, "", "anna@alpha.example: Permission denied (publickey)."))
                        .reason())
                .contains("no connection")
                .contains("by ssh without a password")
                .contains("(publickey)");
        assertThat(trouble(read(
                                11,
                                "",
                                "rsync: [receiver] write failed on \"/staging/x\": No space left on device (28)"))
                        .reason())
                .contains("make room");
        assertThat(trouble(read(11, "", "rsync: [receiver] write failed on \"/staging/x\": Disk quota exceeded (122)"))
                        .reason())
                .contains("the disk quota of the owner at the destination is exceeded");
        assertThat(RsyncErrors.code("write failed on \"x\": Disk quota exceeded (122)"))
                .isEqualTo(VetoCode.DISK_QUOTA_EXCEEDED.code());
        assertThat(RsyncErrors.code("no connection to alpha.example")).isNull();
        assertThat(trouble(read(
                                255,
                                "",
                                "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n"
                                        + "Host key verification failed.\n"))
                        .reason())
                .contains("does not trust the host key of alpha.example", "known_hosts");
        assertThat(trouble(read(127, "", "env: 'rsync': No such file or directory"))
                        .reason())
                .contains("install rsync");
        assertThat(trouble(read(20, "", "")).kind()).isEqualTo(Answer.Kind.STOPPED);
        assertThat(trouble(read(99, "", "")).reason()).contains("code 99");
    }

    @Test
    void a_folder_of_another_user_is_named_and_a_failed_mkdir_explained() {
        final MakeFolders folders = new MakeFolders(null, List.of("/s/anna", "/s/anna/1"), "let anna write there");
        assertThat(folders.argv()).endsWith("folders", "", "/s/anna", "/s/anna/1");
        assertThat(new MakeFolders("/home/anna", List.of("/home/anna/x"), "").argv())
                .endsWith("folders", "/home/anna", "/home/anna/x");
        assertThat(folders.read(CommandResult.of(0, "", ""))).isEqualTo(Answer.ok(true));
        assertThat(trouble(folders.read(CommandResult.of(3, "/s/anna", ""))).reason())
                .isEqualTo("'/s/anna' is not a folder of the job's owner; make it theirs or choose another");
        assertThat(trouble(folders.read(CommandResult.of(1, "", "mkdir: no"))).reason())
                .isEqualTo("cannot make '/s/anna/1': mkdir: no; let anna write there");
    }

    @Test
    void output_of_any_text_is_read() {
        final CopyTree order = order("alpha", "/a");
        DamagedOutput.survives(
                "Number of files: 3 (reg: 2, dir: 1)\nTotal file size: 10 bytes\n" + "0".repeat(64) + "  -\n",
                List.of("Number of files: 1 (", "\nNumber of files: 1 (reg: 1)", ">f+++ a\n", "0123456789abcdef"),
                text -> {
                    final CommandResult result = CommandResult.of(0, text, "");
                    new CopyTrees(SETTINGS, order, false).read(result);
                    new CompareTrees(SETTINGS, order).read(result);
                    new CheckCopied(SETTINGS, order).read(result);
                });
        DamagedOutput.survives(
                "rsync: [sender] send_files failed to open \"/a/b\": Permission denied (13)\nrsync error: some files\n",
                List.of("\"a\" \u2028", "rsync: [a] \""),
                text -> new CopyTrees(SETTINGS, order, false).read(CommandResult.of(23, "", text)));
    }

    private static CopyTrees copy(final String host, final String path) {
        return new CopyTrees(SETTINGS, order(host, path), false);
    }

    private static CopyTree order(final String host, final String path) {
        return new CopyTree(
                TransferId.of("01A.1/upload"), UserName.of("anna"), new Place(ClusterId.of("alpha"), host, path), TO);
    }

    private static Answer<CopyTrees.Copied> read(final int exit, final String output, final String error) {
        return copy("alpha.example", "/home/anna/job").read(CommandResult.of(exit, output, error));
    }

    private static Answer.Trouble<?> trouble(final Answer<?> answer) {
        assertThat(answer).isInstanceOf(Answer.Trouble.class);
        return (Answer.Trouble<?>) answer;
    }
}
