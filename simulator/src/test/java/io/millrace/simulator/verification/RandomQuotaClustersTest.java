package io.millrace.simulator.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A sample; {@code ./millrace bench quota-rules} takes more. A failing seed is in the message. */
class RandomQuotaClustersTest {

    private static final int WORLDS = 150;

    @Test
    void every_rule_holds_on_every_revision_of_several_clusters() {
        RandomQuotaClusters.Seen seen = new RandomQuotaClusters.Seen(0, 0, 0, 0, 0);
        for (int seed = 1; seed <= WORLDS; seed++) {
            seen = seen.and(RandomQuotaClusters.run(seed));
        }
        assertThat(seen.reclaims()).as("the worlds are interesting").isGreaterThan(WORLDS);
        assertThat(seen.vetoes()).as("the worlds are interesting").isGreaterThan(WORLDS);
        assertThat(seen.savings()).as("the worlds are interesting").isGreaterThan(WORLDS / 2);
        assertThat(seen.heldBack()).as("the worlds are interesting").isGreaterThan(WORLDS);
    }
}
