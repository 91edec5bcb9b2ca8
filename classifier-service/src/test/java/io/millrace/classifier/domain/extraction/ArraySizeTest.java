package io.millrace.classifier.domain.extraction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArraySizeTest {

    @ParameterizedTest
    @CsvSource({
        "'123', 1",
        "'123_7', 1",
        "'123[7].server', 1",
        "'123_[0-9]', 10",
        "'123_[1-10:3%2]', 4",
        "'123[1-3,7,9-10]', 6",
        "'123[].server', -1"
    })
    void the_elements_of_an_array_are_counted_from_its_id(final String id, final long variants) {
        assertThat(ArraySize.of(id).orElse(-1)).isEqualTo(variants);
    }
}
