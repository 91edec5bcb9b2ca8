package io.millrace.lab.planners.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A message of the model names the failing seed. */
class ReclaimRaceTest {

    private static final int WORLDS = 100;

    /** The model also checks that a refused reclaim could not have been executed, and that every victim's owner keeps the quota. */
    @Test
    void a_reclaim_whose_idle_cores_went_to_jobs_that_started_at_the_same_time_is_refused_at_most_once() {
        int executed = 0;
        int withReserve = 0;
        for (long seed = 1; seed <= WORLDS; seed++) {
            final ReclaimRace.Seen seen = ReclaimRace.run(seed);
            executed += seen.executed();
            withReserve += seen.withReserve();
            assertThat(seen.refusals())
                    .as("seed %d", seed)
                    .allSatisfy((job, times) -> assertThat(times).isEqualTo(1));
        }
        assertThat(executed).as("the worlds are interesting").isGreaterThan(WORLDS);
        assertThat(withReserve).as("the worlds are interesting").isGreaterThan(WORLDS / 10);
    }
}
