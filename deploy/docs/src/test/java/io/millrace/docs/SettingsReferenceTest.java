package io.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks that the settings page of the guide matches the sources; {@code -Dregenerate} writes it. */
class SettingsReferenceTest {

    private static final Path PAGE = SourceTree.ROOT.resolve("docs/guide/settings.md");

    @Test
    void the_settings_page_matches_the_sources() throws IOException {
        final String page = SettingsReference.page();
        if (System.getProperty("regenerate") != null) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE)
                .as("run: ./mvnw -pl deploy/docs test -Dtest=SettingsReferenceTest -Dregenerate")
                .exists()
                .content()
                .isEqualTo(page);
    }

    @Test
    void every_setting_has_a_description() {
        assertThat(SettingsReference.page().lines().filter(line -> line.startsWith("| `") && line.endsWith("|  |")))
                .isEmpty();
    }
}
