package io.millrace.lab.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;

/** What each refusal has in common: it says what is wrong, and nothing about the inside of the service or about other users. */
final class Refused {

    /** Class names and stack traces of Java, and messages of the database. */
    private static final Pattern INSIDE = Pattern.compile(
            "\\tat |\\bat (io|org|com|java)\\.|(io|org|com|java|jakarta)\\.[a-z]+\\.[\\w.]+(Exception|Error)|SQLSTATE|"
                    + "You have an error in your SQL syntax|Caused by:|millrace_parent|BEGIN (EC )?PRIVATE KEY");

    private Refused() {}

    static void isProblem(final ApiClient.Answer answer, final int status) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        isProblem(answer);
    }

    /** A refusal of the client's mistake, as problem details. */
    static void isProblem(final ApiClient.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isBetween(400, 499);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.json().path("type").asText()).startsWith("urn:millrace:problem:");
        assertThat(answer.json().path("detail").asText()).isNotBlank();
        revealsNothing(answer);
    }

    static void revealsNothing(final ApiClient.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isLessThan(500);
        assertThat(answer.text()).doesNotContainPattern(INSIDE).doesNotContain(Victim.SECRET);
    }
}
