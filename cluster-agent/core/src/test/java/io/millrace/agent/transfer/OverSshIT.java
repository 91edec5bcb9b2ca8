package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.wlm.PrivateSshd;
import io.millrace.model.command.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Through a private sshd of this test on the loopback interface, with keys of its own. */
class OverSshIT {

    @TempDir
    Path folder;

    private PrivateSshd sshd;
    private List<String> ssh;

    @BeforeEach
    void a_private_sshd_runs() {
        sshd = new PrivateSshd(folder);
        TestAccounts.give(sshd.key());
        ssh = new ArrayList<>(TransferSettings.SSH);
        ssh.addAll(List.of(
                "-F",
                "/dev/null",
                "-l",
                CopyScene.me(),
                "-p",
                "" + sshd.port(),
                "-i",
                sshd.key().toString(),
                "-o",
                "UserKnownHostsFile=" + sshd.knownHosts()));
    }

    @AfterEach
    void it_ends() {
        if (sshd != null) {
            sshd.close();
        }
    }

    @Test
    void a_tree_comes_from_another_host_whatever_its_names() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary()).over(PrivateSshd.HOST, ssh);
        scene.fillWithTroublesomeNames();

        final Result result = scene.copyUp();

        assertThat(result).isInstanceOf(Result.Done.class);
        assertThat(CopyScene.listing(scene.staged)).isEqualTo(CopyScene.listing(scene.source));
        assertThat(scene.source.resolve("hacked")).doesNotExist();
    }

    @Test
    void results_go_home_over_ssh_too() throws Exception {
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary()).over(PrivateSshd.HOST, ssh);
        TestAccounts.give(Files.writeString(scene.source.resolve("input"), "1"));
        scene.copyUp();
        TestAccounts.give(Files.writeString(scene.staged.resolve("result"), "2"));

        assertThat(scene.copyDown()).isInstanceOf(Result.Done.class);

        assertThat(scene.source.resolve("result")).hasContent("2");
    }

    @Test
    void a_host_that_does_not_let_us_in_is_named() throws Exception {
        sshd.lockOut();
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary()).over(PrivateSshd.HOST, ssh);

        final String because = ((Result.Failed) scene.copyUp()).reason();

        assertThat(because)
                .contains("no connection to 127.0.0.1")
                .contains("Permission denied")
                .contains("without a password");
    }

    @Test
    void a_host_that_is_away_is_named() throws Exception {
        it_ends();
        final CopyScene scene = new CopyScene(folder, CopyScene.ordinary()).over(PrivateSshd.HOST, ssh);
        assertThat(((Result.Failed) scene.copyUp()).reason())
                .contains("no connection to 127.0.0.1")
                .contains("refused");
    }
}
