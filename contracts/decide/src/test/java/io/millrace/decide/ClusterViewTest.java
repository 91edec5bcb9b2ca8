package io.millrace.decide;

import static io.millrace.decide.Cluster.ALPHA;
import static io.millrace.decide.Cluster.QUEUED;
import static io.millrace.decide.Cluster.RUNNING;
import static io.millrace.decide.Cluster.job;
import static io.millrace.decide.Cluster.key;
import static io.millrace.decide.Cluster.marker;
import static io.millrace.decide.Cluster.node;
import static io.millrace.decide.Cluster.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.command.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

    private final ClusterView view = new ClusterView(ALPHA);

    @Test
    void half_a_batch_is_invisible_until_its_marker_closes_it() {
        assertThat(view.apply(job(1, 4, QUEUED))).isFalse();
        assertThat(view.apply(node("n1"))).isFalse();
        assertThat(view.apply(partition("main"))).isFalse();
        assertThat(view.marker()).isNull();
        assertThat(view.jobs()).isEmpty();
        assertThat(view.nodes()).isEmpty();
        assertThat(view.partitions()).isEmpty();

        assertThat(view.apply(marker(1, 8, 0))).isTrue();
        assertThat(view.marker().revision()).isEqualTo(1);
        assertThat(view.jobs()).containsExactly(job(1, 4, QUEUED));
        assertThat(view.nodes()).containsExactly(node("n1"));
        assertThat(view.partitions()).containsExactly(partition("main"));

        view.apply(job(1, 4, RUNNING));
        assertThat(view.job(key(1)).state()).isEqualTo(QUEUED);
        view.apply(marker(2, 4, 0));
        assertThat(view.job(key(1)).state()).isEqualTo(RUNNING);
    }

    @Test
    void who_looks_on_hears_of_changes_when_their_batch_is_closed() {
        final List<String> heard = new ArrayList<>();
        final ClusterView watched = new ClusterView(ALPHA, new ClusterListener() {
            @Override
            public void jobChanged(final JobKey job) {
                heard.add("job " + job.id().local());
            }

            @Override
            public void nodeChanged(final @Nullable NodeObserved before, final @Nullable NodeObserved now) {
                heard.add("node " + (before == null ? "came" : now == null ? "left" : "changed"));
            }

            @Override
            public void partitionsChanged() {
                heard.add("partitions");
            }

            @Override
            public void commandAnswered(final Outcome outcome) {
                heard.add("answer");
            }
        });
        watched.apply(job(1, 4, QUEUED));
        watched.apply(job(2, 4, RUNNING));
        watched.apply(node("n1"));
        watched.apply(partition("main"));
        assertThat(heard).isEmpty();
        watched.apply(marker(1, 8, 0));
        assertThat(heard).containsExactly("job 1", "job 2", "node came", "partitions");
        assertThat(watched.waiting()).isEqualTo(1);

        heard.clear();
        watched.apply(job(2, 4, QUEUED));
        watched.apply(node("n1"));
        watched.apply(marker(2, 8, 0));
        assertThat(watched.waiting()).isEqualTo(2);
        watched.remove(JobObserved.keyOf(key(1)));
        watched.remove(NodeObserved.keyOf(ALPHA, node("n1").node()));
        watched.apply(marker(3, 8, 0));
        assertThat(heard).containsExactly("job 2", "node changed", "job 1", "node left");
        assertThat(watched.waiting()).isEqualTo(1);
    }

    @Test
    void a_tombstone_takes_effect_with_its_batch_and_is_reported_once() {
        view.apply(job(1, 4, QUEUED));
        view.apply(job(2, 4, QUEUED));
        view.apply(node("n1"));
        view.apply(partition("main"));
        view.apply(marker(1, 8, 0));

        view.remove(JobObserved.keyOf(key(1)));
        view.remove(NodeObserved.keyOf(ALPHA, node("n1").node()));
        view.remove(PartitionObserved.keyOf(ALPHA, partition("main").partition()));
        assertThat(view.jobs()).hasSize(2);
        assertThat(view.takeGone()).isEmpty();

        view.apply(marker(2, 8, 0));
        assertThat(view.jobs()).containsExactly(job(2, 4, QUEUED));
        assertThat(view.nodes()).isEmpty();
        assertThat(view.partitions()).isEmpty();
        assertThat(view.takeGone()).containsExactly(key(1));
        assertThat(view.takeGone()).isEmpty();
    }

    @Test
    void within_a_batch_the_last_word_counts() {
        view.apply(job(1, 4, QUEUED));
        view.remove(JobObserved.keyOf(key(1)));
        view.apply(job(2, 4, QUEUED));
        view.remove(JobObserved.keyOf(key(2)));
        view.apply(job(2, 2, RUNNING));
        view.apply(marker(1, 8, 0));
        assertThat(view.jobs()).containsExactly(job(2, 2, RUNNING));
    }

    @Test
    void a_batch_handled_twice_is_handled_once() {
        for (int time = 0; time < 2; time++) {
            view.apply(job(1, 4, QUEUED));
            view.remove(JobObserved.keyOf(key(2)));
            view.apply(marker(1, 8, 0));
        }
        assertThat(view.jobs()).containsExactly(job(1, 4, QUEUED));
        assertThat(view.marker().revision()).isEqualTo(1);
    }

    @Test
    void tombstones_find_array_jobs_and_nodes_with_odd_names() {
        final var array =
                new io.millrace.model.JobKey(new io.millrace.model.JobId(ALPHA, "123[7].server@x"), Cluster.T0);
        final JobObserved task = new JobObserved(
                array,
                "array",
                io.millrace.model.UserName.of("bob"),
                null,
                io.millrace.model.PartitionName.of("main"),
                QUEUED,
                null,
                io.millrace.model.Resources.cores(1),
                null,
                Eligibility.since(array.submittedAt()),
                null,
                0,
                0,
                new io.millrace.model.cluster.CheckpointMethod.None(),
                JobDetail.NONE);
        view.apply(task);
        view.apply(node("rack/1"));
        view.apply(marker(1, 8, 0));
        assertThat(view.jobs()).hasSize(1);
        view.remove(task.key());
        view.remove(node("rack/1").key());
        view.remove("alpha/marker");
        view.apply(marker(2, 8, 0));
        assertThat(view.jobs()).isEmpty();
        assertThat(view.nodes()).isEmpty();
    }
}
