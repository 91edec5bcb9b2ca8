package io.millrace.model.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrayIndicesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        7               | 7
        1 2             | 1-2
        3 1 2 2         | 1-3
        1 3             | 1,3
        1 3 5 7         | 1-7:2
        1 2 3 9         | 1-3,9
        0 10 20 21 22   | 0-20:10,21-22
        2 5 6 7         | 2,5-7
        """)
    void few_words_say_which(final String indices, final String words) {
        assertThat(ArrayIndices.write(List.of(indices.strip().split(" ")).stream()
                        .map(Integer::valueOf)
                        .toList()))
                .isEqualTo(words);
    }

    @Test
    void what_was_written_contains_just_what_it_was_written_of() {
        final RandomGenerator random = RandomGeneratorFactory.getDefault().create(20261121);
        for (int round = 0; round < 200; round++) {
            final TreeSet<Integer> some = new TreeSet<>();
            random.ints(random.nextInt(1, 30), 0, 60).forEach(some::add);
            final String words = ArrayIndices.write(some);
            assertThat(ArrayIndices.read(words).boxed()).as(words).containsExactlyElementsOf(some);
            assertThat(ArrayIndices.count(words)).as(words).isEqualTo(some.size());
            assertThat(ArrayIndices.read(ArrayIndices.first(words, 3)).boxed())
                    .as(words)
                    .containsExactlyElementsOf(some.stream().limit(3).toList());
            for (int index = 0; index < 60; index++) {
                assertThat(ArrayIndices.contains(words, Integer.toString(index)))
                        .as(words + " and " + index)
                        .isEqualTo(some.contains(index));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        1-3 | x
        1-3 | 99999999999
        ?   | 1
        1-  | 1
        ''  | 1
        """)
    void what_cannot_be_read_contains_nothing(final String indices, final String index) {
        assertThat(ArrayIndices.contains(indices, index)).isFalse();
    }

    @Test
    void a_list_that_is_not_valid_is_refused_with_the_part_that_is_wrong() {
        assertThatThrownBy(() -> ArrayIndices.count("1-3,x")).hasMessageContaining("'x' is not a range");
        assertThatThrownBy(() -> ArrayIndices.read("").toArray()).isInstanceOf(IllegalArgumentException.class);
    }
}
