package io.millrace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.Usage;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PublishedTest {

    private final Published<String, Usage> published = new Published<>(Usage::key);

    private static Usage usage(final String user, final int cores) {
        return new Usage(ClusterId.of("alpha"), UserName.of(user), cores, 0, 0, 8, 0);
    }

    @Test
    void says_what_is_new_or_changed_and_takes_off_what_is_gone() {
        published.replay("alpha/anna", usage("anna", 1));
        published.replay("alpha/bob", usage("bob", 1));
        published.replay("alpha/cleo", usage("cleo", 1));
        published.replay("alpha/cleo", null);

        final var first = published.replaceAll(List.of(usage("anna", 1), usage("dora", 2)), Objects::equals);
        assertThat(first.put()).containsExactly(usage("dora", 2));
        assertThat(first.removed()).containsExactly("alpha/bob");

        final var second = published.replaceAll(List.of(usage("anna", 3), usage("dora", 2)), Objects::equals);
        assertThat(second.put()).containsExactly(usage("anna", 3));
        assertThat(second.removed()).isEmpty();
    }

    @Test
    void a_planned_value_is_made_only_if_it_is_written() {
        published.replay("alpha/anna", usage("anna", 1));
        published.replay("alpha/bob", usage("bob", 1));

        final var difference = published.replaceAll(
                List.of("anna", "dora"),
                user -> "alpha/" + user,
                (known, user) -> known.user().value().equals(user),
                (known, user) -> usage(user, 2));

        assertThat(difference.put()).containsExactly(usage("dora", 2));
        assertThat(difference.removed()).containsExactly("alpha/bob");
        assertThat(published.current("alpha/anna")).isEqualTo(usage("anna", 1));
        assertThat(published.current("alpha/bob")).isNull();
    }

    @Test
    void small_steps_are_measured_from_what_was_said_last() {
        published.replaceAll(List.of(usage("anna", 10)), Objects::equals);

        assertThat(published
                        .replaceAll(List.of(usage("anna", 12)), PublishedTest::near)
                        .put())
                .isEmpty();
        assertThat(published
                        .replaceAll(List.of(usage("anna", 14)), PublishedTest::near)
                        .put())
                .hasSize(1);
    }

    private static boolean near(final Usage said, final Usage now) {
        return Math.abs(said.guaranteedCores() - now.guaranteedCores()) < 3;
    }
}
