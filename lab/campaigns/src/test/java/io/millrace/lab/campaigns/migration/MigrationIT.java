package io.millrace.lab.campaigns.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.story.LiveStack;
import io.millrace.story.Participants;
import io.millrace.story.ProgressOutput;
import io.millrace.story.Site;
import io.millrace.story.Verdict;
import io.millrace.testing.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sample of {@code ./millrace prove migration}. */
@Tag("slurm")
class MigrationIT {

    private static final long SHARED_BYTES = 4 << 20;
    private static final int JOBS = 4;

    @Test
    void jobs_share_a_file_between_hosts_and_none_is_lost_or_runs_twice_although_an_agent_and_a_service_are_killed() {
        try (LiveStack stack = LiveStack.openHosts()) {
            final Site site = stack.site();
            final Participants participants = Participants.of(site, new ProgressOutput(System.out, false));
            final ProveMigration proof = new ProveMigration(stack.siteFile(), site, participants, Sample.seed());
            final List<Verdict> verdicts = new ArrayList<>(proof.sharedFile(SHARED_BYTES, JOBS));
            verdicts.add(proof.kills(sample(KillCase.all(new TwoHosts(site)))));

            assertThat(verdicts)
                    .allSatisfy(verdict -> assertThat(verdict.kept())
                            .as("%s: %s", verdict.promise(), verdict.seen())
                            .isTrue());
        }
    }

    /** An agent and a service, each in a state that the seed chooses. */
    private static List<KillCase> sample(final List<KillCase> all) {
        final List<KillCase> cases = new ArrayList<>(all);
        Collections.shuffle(cases, Sample.random("kills during migration"));
        return Stream.of(true, false)
                .map(agent -> cases.stream()
                        .filter(one -> one.part().startsWith("agent-") == agent)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }
}
