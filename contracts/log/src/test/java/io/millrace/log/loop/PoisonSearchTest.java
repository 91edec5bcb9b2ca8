package io.millrace.log.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.loop.PoisonSearch.Range;
import io.millrace.log.loop.PoisonSearch.Selection;
import io.millrace.log.loop.SetAsideRecords.Place;
import io.millrace.testing.Attack;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PoisonSearchTest {

    private static final TopicPartition STATE = new TopicPartition("millrace.cluster-state", 3);
    private static final TopicPartition REQUESTS = new TopicPartition("millrace.requests", 0);
    private static final List<Range> SUSPECTS = List.of(new Range(STATE, 100, 1100), new Range(REQUESTS, 7, 12));

    private static boolean has(final Selection selection, final Place place) {
        return selection.contains(place.partition(), place.offset());
    }

    private static Place state(final long offset) {
        return new Place(STATE, offset);
    }

    @Test
    void the_record_with_which_a_decision_begins_to_fail_is_found() {
        for (final Place poison :
                List.of(state(100), state(517), state(1099), new Place(REQUESTS, 7), new Place(REQUESTS, 11))) {
            final AtomicInteger trials = new AtomicInteger();
            assertThat(new PoisonSearch(SUSPECTS, selection -> {
                                trials.incrementAndGet();
                                return has(selection, poison);
                            })
                            .culprit())
                    .contains(poison);
            assertThat(trials).hasValueLessThanOrEqualTo(15);
        }
    }

    @Attack(
            "a poisoned observation takes effect only with the marker of its batch, so that markers are blamed one after another")
    @Test
    void of_a_record_that_takes_effect_with_a_later_one_the_first_is_found() {
        assertThat(new PoisonSearch(SUSPECTS, selection -> has(selection, state(300)) && has(selection, state(400)))
                        .culprit())
                .contains(state(300));
    }

    @Test
    void a_failure_without_the_suspects_or_one_that_does_not_repeat_blames_no_record() {
        assertThat(new PoisonSearch(SUSPECTS, selection -> true).culprit()).isEmpty();
        assertThat(new PoisonSearch(SUSPECTS, selection -> false).culprit()).isEmpty();
        assertThat(new PoisonSearch(List.of(new Range(STATE, 5, 5)), selection -> true).culprit())
                .isEmpty();
    }

    @Test
    void any_number_of_poisoned_records_is_found_one_after_the_other_and_none_else() {
        final Random random = new Random(13);
        for (int round = 0; round < 50; round++) {
            final List<Place> poison = random.longs(1 + round % 7, 100, 1100)
                    .distinct()
                    .mapToObj(PoisonSearchTest::state)
                    .toList();
            final List<Place> skipped = new ArrayList<>();
            while (true) {
                final var culprit = new PoisonSearch(
                                SUSPECTS,
                                selection -> poison.stream()
                                        .anyMatch(place -> !skipped.contains(place) && has(selection, place)))
                        .culprit();
                if (culprit.isEmpty()) {
                    break;
                }
                skipped.add(culprit.get());
            }
            assertThat(skipped).as("round %d", round).containsExactlyInAnyOrderElementsOf(poison);
        }
    }
}
