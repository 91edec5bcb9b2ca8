package io.millrace.model.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.ClusterStateKey;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.PlanKey;
import io.millrace.model.quota.UsageKey;
import org.junit.jupiter.api.Test;

class RecordKeysTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final JobKey LOCAL = JobKey.of("alpha/12[3].server@2026-01-01T00:00:00Z");
    private static final GlobalJobId GLOBAL = GlobalJobId.of("01KDVQ3H7R8S9T0V1W2X3Y4Z5A");

    @Test
    void keys_of_the_state_of_a_cluster() {
        means("alpha/job/12[3].server@2026-01-01T00:00:00Z", new ClusterStateKey.Job(LOCAL));
        means("alpha/node/rack1/n7", new ClusterStateKey.Node(ALPHA, NodeName.of("rack1/n7")));
        means("alpha/partition/main", new ClusterStateKey.Partition(ALPHA, PartitionName.of("main")));
        means("alpha/site-mapping", new ClusterStateKey.SiteMapping(ALPHA));
        means("alpha/conditions", new ClusterStateKey.Conditions(ALPHA));
        means("alpha/marker", new ClusterStateKey.Marker(ALPHA));
        means("alpha/weather/today", new ClusterStateKey.Other(ALPHA, "/weather/today"));
        assertThatThrownBy(() -> ClusterStateKey.of("alpha")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ClusterStateKey.of("alpha/job/12")).isInstanceOf(IllegalArgumentException.class);
    }

    private static void means(final String text, final ClusterStateKey key) {
        assertThat(ClusterStateKey.of(text)).isEqualTo(key);
        assertThat(key).hasToString(text);
        assertThat(key.cluster()).isEqualTo(ALPHA);
    }

    @Test
    void keys_of_plans() {
        means(LOCAL + "/QUOTA", new PlanKey.OfJob(LOCAL, Issuer.QUOTA));
        means(GLOBAL + "/MIGRATION", new PlanKey.OfJob(GLOBAL, Issuer.MIGRATION));
        means("alpha/BACKFILL", new PlanKey.OfCluster(ALPHA, Issuer.BACKFILL));
        means("alpha/offer/" + GLOBAL, new PlanKey.Offer(ALPHA, GLOBAL));
        assertThatThrownBy(() -> PlanKey.of("alpha")).isInstanceOf(IllegalArgumentException.class);
    }

    private static void means(final String text, final PlanKey key) {
        assertThat(PlanKey.of(text)).isEqualTo(key);
        assertThat(key).hasToString(text);
    }

    @Test
    void keys_of_usage() {
        final UserName anna = UserName.of("anna");
        means("alpha/anna", new UsageKey.Use(ALPHA, anna));
        means("alpha/charges", new UsageKey.Use(ALPHA, UserName.of("charges")));
        means("alpha/charges/anna/-", new UsageKey.Charged(ALPHA, anna, null));
        means("alpha/charges/anna/physics", new UsageKey.Charged(ALPHA, anna, ProjectName.of("physics")));
        assertThatThrownBy(() -> UsageKey.of("alpha")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> UsageKey.of("alpha/charges/anna")).isInstanceOf(IllegalArgumentException.class);
    }

    private static void means(final String text, final UsageKey key) {
        assertThat(UsageKey.of(text)).isEqualTo(key);
        assertThat(key).hasToString(text);
    }
}
