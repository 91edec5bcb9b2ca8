package io.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.command.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CodesPageTest {

    private static final Path PAGE = Path.of("../../docs/guide/codes.md");

    /** With {@code -Dmillrace.write-codes} the page is written instead. */
    @Test
    void the_guide_lists_every_code() throws IOException {
        if (System.getProperty("millrace.write-codes") != null) {
            Files.writeString(PAGE, page());
        }
        assertThat(Files.readString(PAGE))
                .as("to update it: ./mvnw -pl contracts/model test -Dtest=CodesPageTest -Dmillrace.write-codes")
                .isEqualTo(page());
    }

    private static String page() {
        final StringBuilder page = new StringBuilder("""
            # Codes

            A job that waits has one reason for each obstacle: a code, a sentence with the figures, and whether waiting can help.
            `mgstat --why` shows them; events and metrics carry the same codes.

            ## Why a job waits

            | code | waiting helps | meaning | remedy |
            | --- | --- | --- | --- |
            """);
        for (final VetoCode code : VetoCode.values()) {
            row(
                    page,
                    code.code(),
                    code.severity() == VetoCode.Severity.TEMPORARY ? "yes" : "no",
                    code.meaning(),
                    code.remedy());
        }
        page.append("""

            ## Refusals

            An agent refuses a command that it cannot execute safely. A refusal is normal: the service plans again.

            | refusal | meaning | remedy |
            | --- | --- | --- |
            """);
        for (final Refusal refusal : Refusal.values()) {
            row(page, refusal.code(), refusal.meaning(), refusal.remedy());
        }
        return page.toString();
    }

    private static void row(final StringBuilder page, final String code, final String... cells) {
        page.append("| `")
                .append(code)
                .append("` | ")
                .append(String.join(" | ", cells))
                .append(" |\n");
    }
}
