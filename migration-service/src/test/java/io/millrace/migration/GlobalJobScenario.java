package io.millrace.migration;

import static io.millrace.migration.domain.Samples.ALPHA;
import static io.millrace.migration.domain.Samples.BETA;
import static io.millrace.migration.domain.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.migration.domain.Policies;
import io.millrace.migration.domain.Samples;
import io.millrace.migration.domain.ScriptedCluster;
import io.millrace.migration.domain.World;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJob;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** Global jobs on the clusters alpha and beta; after each test, a restart must write nothing. */
abstract class GlobalJobScenario {

    static final Samples AWAY = job("A").cores(12).withMake();
    static final RunOutcome WELL = new RunOutcome.Exited(0);

    final World world = new World(Policies.fast());
    final ScriptedCluster alpha = world.cluster(ALPHA, 8);
    final ScriptedCluster beta = world.cluster(BETA, 16);

    @AfterEach
    void a_restart_repeats_nothing() {
        world.settle();
        final int before = world.log.size();
        world.restart();
        world.decide();
        assertThat(world.log).hasSize(before);
    }

    void submit(final Samples sample) {
        world.say(sample.submitted(world.now));
        world.decide();
    }

    void stop(final Samples sample) {
        world.say(sample.stop(world.now));
        world.decide();
    }

    List<String> words(final Samples sample) {
        return world.events(GlobalJob.class, job -> job.id().equals(sample.id())).stream()
                .map(job -> job.state().word())
                .distinct()
                .toList();
    }

    List<String> orders() {
        return world.commands(c -> true).stream().map(c -> c.action().name()).toList();
    }

    JobKey onlyJob(final ScriptedCluster cluster) {
        assertThat(cluster.jobs()).hasSize(1);
        return cluster.jobs().iterator().next().job();
    }

    void script(final String action, final Result... answers) {
        final List<Result> left = new java.util.ArrayList<>(List.of(answers));
        beta.script = command -> command.action().name().equals(action) && !left.isEmpty()
                ? Optional.of(left.removeFirst())
                : Optional.empty();
    }
}
