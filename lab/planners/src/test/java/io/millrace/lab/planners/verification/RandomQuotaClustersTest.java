package io.millrace.lab.planners.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A sample; {@code ./millrace bench quota-rules} runs more. The message names a failing seed. */
class RandomQuotaClustersTest {

    private static final int WORLDS = 150;

    @Test
    void every_quota_rule_holds_on_every_revision_of_several_clusters() {
        RandomQuotaClusters.Counts seen = new RandomQuotaClusters.Counts(0, 0, 0, 0, 0);
        for (int seed = 1; seed <= WORLDS; seed++) {
            seen = seen.and(RandomQuotaClusters.run(seed));
        }
        assertThat(seen.reclaims()).as("the worlds are interesting").isGreaterThan(WORLDS);
        assertThat(seen.vetoes()).as("the worlds are interesting").isGreaterThan(WORLDS);
        assertThat(seen.savings()).as("the worlds are interesting").isGreaterThan(WORLDS / 2);
        assertThat(seen.heldBack()).as("the worlds are interesting").isGreaterThan(WORLDS);
    }
}
