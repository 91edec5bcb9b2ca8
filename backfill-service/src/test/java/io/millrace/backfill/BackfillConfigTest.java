package io.millrace.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.Estimate;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words of a setting that the guide documents. */
class BackfillConfigTest {

    @ParameterizedTest
    @CsvSource({
        "requested,REQUESTED",
        "recent2,RECENT2",
        "class,CLASS",
        "published,PUBLISHED",
        "published-p50,PUBLISHED_P50",
        "published-p80,PUBLISHED_P80",
        "published-p95,PUBLISHED_P95",
        "published-recent2,PUBLISHED_RECENT2"
    })
    void the_source_of_estimates_is_set_by_a_word(final String word, final Estimate source) {
        final BackfillConfig config = new SmallRyeConfigBuilder()
                .withConverter(Duration.class, 200, new DurationConverter())
                .withMapping(BackfillConfig.class)
                .withDefaultValue("millrace.backfill.estimate", word)
                .build()
                .getConfigMapping(BackfillConfig.class);
        assertThat(config.estimate()).isEqualTo(source);
    }
}
