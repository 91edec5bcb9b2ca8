package io.millrace.classifier.domain.classification;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.NumberRange;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DomainIndexTest {

    private static final int CLASSES = 12;
    private static final double[] SCALES = {
        0, Double.MIN_VALUE, 1e-300, 1, 2, 3, 60, 1e9, 1e300, Double.MAX_VALUE, Double.POSITIVE_INFINITY
    };

    @Test
    void ranges_of_very_different_sizes_are_found_as_they_include_each_other() {
        final Random random = new Random(1);
        int found = 0;
        for (int n = 0; n < 2_000; n++) {
            final Map<Integer, Domain> domains = new HashMap<>();
            for (int j = 0; j < CLASSES; j++) {
                domains.put(j, range(random));
            }
            final DomainIndex index = DomainIndex.of(Characteristic.Kind.NUMBER, domains, CLASSES);
            final Domain given = random.nextBoolean() ? NumberRange.exactly(number(random)) : range(random);
            if (given.isEmpty()) {
                continue; // refused before
            }
            final long[] mask = ClassMask.empty(CLASSES);
            index.find(given, mask);
            final int[] expected = domains.keySet().stream()
                    .mapToInt(j -> j)
                    .filter(j -> domains.get(j).includes(given))
                    .toArray();
            assertThat(ClassMask.toArray(mask)).as("%s in %s", given, domains).isEqualTo(expected);
            found += expected.length;
        }
        assertThat(found).isGreaterThan(1_000);
    }

    private static NumberRange range(final Random random) {
        final double[] bounds = {number(random), number(random)};
        Arrays.sort(bounds);
        return new NumberRange(bounds[0], random.nextBoolean(), bounds[1], random.nextBoolean());
    }

    private static double number(final Random random) {
        final double scale = SCALES[random.nextInt(SCALES.length)];
        return random.nextBoolean() ? scale : -scale;
    }
}
