package io.millrace.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

    @TempDir
    Path home;

    private void file(final String text) throws Exception {
        Files.createDirectories(home.resolve(".config/millrace"));
        Files.writeString(home.resolve(".config/millrace/config"), text);
    }

    @Test
    void the_environment_overrides_the_file() throws Exception {
        file("# ours\napi = http://from-file:7070/\ncluster=beta\nlogin-socket=/run/millrace/x\n");
        final Settings settings = Settings.read(
                Map.of("HOME", home.toString(), "MILLRACE_CLUSTER", "alpha", "MILLRACE_LOGIN_SOCKET", ""));

        assertThat(settings.api()).hasToString("http://from-file:7070");
        assertThat(settings.cluster()).isEqualTo("alpha");
        assertThat(settings.loginSocket()).isEmpty();
        assertThat(settings.tokenFile()).isEqualTo(home.resolve(".config/millrace/token"));
    }

    @Test
    void a_missing_setting_is_named_with_both_places_where_it_can_be_set() {
        assertThatThrownBy(() -> Settings.read(Map.of("HOME", home.toString())).api())
                .hasMessageContaining("MILLRACE_API")
                .hasMessageContaining("api= in " + home);
    }

    @Test
    void an_invalid_service_url_is_refused() {
        assertThatThrownBy(() -> Settings.read(Map.of("HOME", home.toString(), "MILLRACE_API", "millrace:7070"))
                        .api())
                .hasMessageContaining("http://HOST:PORT");
    }
}
