package io.millrace.log.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.OutgoingEvent;
import io.millrace.model.protocol.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DecisionPartsTest {

    private static final int MAX = DecisionParts.MAX_RECORDS;
    private static final Predicate<OutgoingEvent> PLANS = decided -> decided.topic() == Topic.PLANS;

    private static List<OutgoingEvent> records(final Topic topic, final int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> OutgoingEvent.remove(topic, "key" + number, null))
                .toList();
    }

    private static List<OutgoingEvent> mixed(final int plans, final int entitlements) {
        final List<OutgoingEvent> decision = new ArrayList<>(records(Topic.PLANS, plans));
        decision.addAll(records(Topic.ENTITLEMENTS, entitlements));
        Collections.shuffle(decision, new Random(plans + entitlements));
        return decision;
    }

    private static List<Integer> sizes(final List<List<OutgoingEvent>> parts) {
        return parts.stream().map(List::size).toList();
    }

    @Test
    void a_decision_of_usual_size_is_one_part_in_its_order() {
        final List<OutgoingEvent> decision = mixed(MAX - 10, 10);
        assertThat(DecisionParts.of(decision, PLANS)).containsExactly(decision);
    }

    @Test
    void an_empty_decision_is_one_part_because_offsets_go_with_it() {
        assertThat(DecisionParts.of(List.of(), PLANS)).containsExactly(List.of());
    }

    @Test
    void recomputed_records_of_a_large_decision_follow_in_parts_in_their_order() {
        final List<OutgoingEvent> decision = mixed(2 * MAX + 1, 10);
        final List<List<OutgoingEvent>> parts = DecisionParts.of(decision, PLANS);
        assertThat(sizes(parts)).containsExactly(MAX, MAX, 11);
        assertThat(parts.stream().flatMap(List::stream))
                .containsExactlyElementsOf(Stream.concat(
                                decision.stream().filter(PLANS.negate()),
                                decision.stream().filter(PLANS))
                        .toList());
    }

    @Test
    void records_that_must_be_written_together_are_one_part_however_many_they_are() {
        final List<List<OutgoingEvent>> parts = DecisionParts.of(mixed(MAX + 1, 3 * MAX), PLANS);
        assertThat(sizes(parts)).containsExactly(3 * MAX, MAX, 1);
        assertThat(parts.getFirst()).noneMatch(PLANS);
        assertThat(DecisionParts.of(records(Topic.ENTITLEMENTS, 3 * MAX), PLANS))
                .hasSize(1);
    }
}
