package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RecentAnswersTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE);
    private final AtomicInteger asked = new AtomicInteger();
    private final RecentAnswers<String, Integer> answers = new RecentAnswers<>(Duration.ofSeconds(1), now::get);

    private Answer<Integer> get(final String key) {
        return answers.get(key, () -> Answer.ok(asked.incrementAndGet()));
    }

    @Test
    void a_burst_asks_once_for_each_key() {
        assertThat(get("anna")).isEqualTo(Answer.ok(1));
        assertThat(get("anna")).isEqualTo(Answer.ok(1));
        assertThat(get("bob")).isEqualTo(Answer.ok(2));
    }

    @Test
    void an_old_answer_is_asked_again() {
        get("anna");
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(get("anna")).isEqualTo(Answer.ok(2));
    }

    @Test
    void a_failure_is_not_kept() {
        final Answer<Integer> failure = Answer.trouble(Answer.Kind.DOWN, "no answer");
        assertThat(answers.get("anna", () -> failure)).isEqualTo(failure);
        assertThat(get("anna")).isEqualTo(Answer.ok(1));
    }
}
