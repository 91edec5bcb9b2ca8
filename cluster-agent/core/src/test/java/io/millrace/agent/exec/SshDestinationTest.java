package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SshDestinationTest {

    private static SshDestination to(final String host, final Path config) {
        return new SshDestination(host, config);
    }

    @Test
    void nothing_that_ssh_would_take_for_an_option_or_a_setting_is_a_host() {
        for (final String host : List.of("-oProxyCommand=x", "a b", "", "x;y", "u@-v", "-u@host", "u@v@w", "h\nx")) {
            assertThatThrownBy(() -> to(host, null)).as(host).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(to("millrace@head-1.example.org", null).account()).contains("millrace");
        assertThat(to("head-1", null).account()).isEmpty();
    }

    @Test
    void files_are_named_as_ssh_reads_them_or_not_at_all() {
        for (final String path : List.of("relative", "/a b", "/home/%u/config", "/a\"b")) {
            assertThatThrownBy(() -> to("head", Path.of(path))).as(path).hasMessageContaining(path);
        }
    }

    @Test
    void no_command_is_named_and_no_password_asked() {
        assertThat(to("millrace@head", Path.of("/etc/millrace/ssh_config")).words())
                .endsWith("--", "millrace@head")
                .contains("BatchMode=yes", "StrictHostKeyChecking=yes", "-F", "/etc/millrace/ssh_config");
    }
}
