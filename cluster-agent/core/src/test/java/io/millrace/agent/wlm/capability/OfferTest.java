package io.millrace.agent.wlm.capability;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OfferTest {

    private static WorkloadManager modest(
            final Map<Capability, String> withheld, final Map<Capability, String> remarks) {
        final Observing observing = new Observing() {
            @Override
            public String version() {
                return "modest 1";
            }

            @Override
            public Answer<Observation> observe() {
                throw new UnsupportedOperationException();
            }
        };
        final Requeueing requeueing = new Requeueing() {
            @Override
            public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
                throw new UnsupportedOperationException();
            }
        };
        return WorkloadManager.of(observing, OfferTest::never, OfferTest::never)
                .with(Restricting.class, () -> new Restricting.Restrictions(withheld, remarks))
                .with(Starting.class, OfferTest::never)
                .with(Requeueing.class, requeueing);
    }

    private static <T> Answer<T> never(final Object any) {
        throw new UnsupportedOperationException();
    }

    @Test
    void what_is_implemented_is_offered_but_for_what_is_withheld() {
        final Offer offer =
                Offer.of(modest(Map.of(Capability.REQUEUE, "no job may be rerun; set rerunnable = True"), Map.of()));
        assertThat(offer.capabilities()).containsExactlyInAnyOrder(Capability.TRANSFER, Capability.START);
        assertThat(offer.notes())
                .as("a reclaim needs a requeue")
                .containsOnlyKeys(Capability.REQUEUE, Capability.RECLAIM, Capability.CHECKPOINT)
                .containsEntry(Capability.RECLAIM, "no job may be rerun; set rerunnable = True");
    }

    @Test
    void a_remark_is_made_only_on_what_is_offered() {
        final Offer offer = Offer.of(modest(
                Map.of(Capability.REQUEUE, "not here"),
                Map.of(Capability.REQUEUE, "never said", Capability.START, "name the hosts")));
        assertThat(offer.remarks()).isEqualTo(Map.of(Capability.START, "name the hosts"));
        assertThat(offer.notes())
                .containsEntry(Capability.REQUEUE, "not here")
                .containsEntry(Capability.START, "name the hosts");
    }
}
