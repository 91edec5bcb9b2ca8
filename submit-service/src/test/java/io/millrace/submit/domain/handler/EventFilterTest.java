package io.millrace.submit.domain.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobState;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.Quota;
import io.millrace.submit.TestData;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventFilterTest {

    private static final Event ANNAS_ON_ALPHA =
            TestData.local(TestData.key(TestData.ALPHA, 1), "anna", new JobState.Queued(), null);

    private static EventFilter filter(final Set<UserName> users, final Set<ClusterId> clusters, final String... words) {
        return new EventFilter(
                java.util.Arrays.stream(words)
                        .flatMap(word -> EventFilter.types(word).stream())
                        .collect(java.util.stream.Collectors.toSet()),
                users,
                clusters);
    }

    @Test
    void events_are_selected_by_type_user_and_cluster() {
        final UserName anna = UserName.of("anna");

        assertThat(filter(Set.of(), Set.of(), "millrace.job.observed.v1").wants(ANNAS_ON_ALPHA))
                .isTrue();
        assertThat(filter(Set.of(anna), Set.of(TestData.ALPHA), "millrace.job.observed.v1")
                        .wants(ANNAS_ON_ALPHA))
                .isTrue();
        assertThat(filter(Set.of(UserName.of("bob")), Set.of(), "millrace.job.observed.v1")
                        .wants(ANNAS_ON_ALPHA))
                .isFalse();
        assertThat(filter(Set.of(), Set.of(TestData.BETA), "millrace.job.observed.v1")
                        .wants(ANNAS_ON_ALPHA))
                .isFalse();
        assertThat(filter(Set.of(), Set.of(), "millrace.run.ended.v1").wants(ANNAS_ON_ALPHA))
                .isFalse();
    }

    @Test
    void a_global_job_is_about_its_source_and_current_cluster() {
        final JobSubmitted submitted = TestData.submitted(TestData.id(), "anna", "j");
        final Event waiting = TestData.job(submitted, new GlobalJobState.Waiting("full"), 1);
        final Event placed =
                TestData.placed(submitted, new GlobalJobState.Waiting("moved"), TestData.key(TestData.BETA, 1), 2);
        final EventFilter onBeta = filter(Set.of(), Set.of(TestData.BETA), "millrace.global-job.changed.v1");

        assertThat(onBeta.wants(waiting)).isFalse();
        assertThat(onBeta.wants(placed)).isTrue();
        assertThat(filter(Set.of(), Set.of(TestData.ALPHA), "millrace.global-job.*")
                        .wants(placed))
                .isTrue();
    }

    @Test
    void events_without_a_cluster_match_only_filters_without_clusters() {
        final Event centreWide =
                new Quota(UserName.of("anna"), null, 16, UserName.of("olga"), "course", Instant.EPOCH, 1, null, null);

        assertThat(filter(Set.of(), Set.of(), "millrace.quota.set.v1").wants(centreWide))
                .isTrue();
        assertThat(filter(Set.of(), Set.of(TestData.ALPHA), "millrace.quota.set.v1")
                        .wants(centreWide))
                .isFalse();
    }

    @Test
    void a_filter_needs_only_the_topics_of_its_types() {
        assertThat(filter(Set.of(), Set.of(), "millrace.run.ended.v1", "millrace.global-job.*")
                        .topics())
                .containsExactlyInAnyOrder(Topic.JOB_ENDS, Topic.GLOBAL_JOBS);
        assertThat(EventFilter.types("millrace.*")).containsExactlyInAnyOrder(EventType.values());
    }

    @Test
    void users_are_refused_for_event_types_without_a_user() {
        assertThatThrownBy(() -> filter(Set.of(UserName.of("anna")), Set.of(), "millrace.node.observed.v1"))
                .hasMessageContaining("millrace.node.observed.v1 have no user");
    }

    @Test
    void an_unknown_type_is_refused_with_the_known_types() {
        assertThatThrownBy(() -> EventFilter.types("millrace.job.finished.v1"))
                .hasMessageContaining("event type 'millrace.job.finished.v1' not found")
                .hasMessageContaining("millrace.run.ended.v1");
    }
}
