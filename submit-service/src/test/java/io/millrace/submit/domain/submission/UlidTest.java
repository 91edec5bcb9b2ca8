package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UlidTest {

    @Test
    void the_first_ten_characters_are_the_milliseconds() {
        // 1469918176385 is the example of the ULID specification.
        final GlobalJobId id = Ulid.random(Instant.ofEpochMilli(1469918176385L), new Random(1));

        assertThat(id.value()).startsWith("01ARYZ6S41");
    }

    @Test
    void later_ids_sort_after_earlier_ones() {
        final Random chance = new Random(2);
        final List<GlobalJobId> ids = IntStream.range(0, 100)
                .mapToObj(i -> Ulid.random(Instant.ofEpochMilli(1_700_000_000_000L + i), chance))
                .toList();

        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void the_same_user_and_key_give_the_same_id() {
        final UserName anna = UserName.of("anna");

        assertThat(Ulid.derived(anna, "k")).isEqualTo(Ulid.derived(anna, "k"));
        assertThat(Ulid.derived(anna, "k")).isNotEqualTo(Ulid.derived(UserName.of("ann"), "ak"));
        assertThat(Ulid.derived(anna, "k")).isNotEqualTo(Ulid.derived(anna, "l"));
    }

    @Test
    void every_key_gives_a_valid_id() {
        assertThat(IntStream.range(0, 1000).mapToObj(i -> Ulid.derived(UserName.of("u"), "key" + i)))
                .doesNotHaveDuplicates();
    }
}
