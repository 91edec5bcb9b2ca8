package io.millrace.lab.planners.bench;

import io.millrace.decide.ClusterView;
import io.millrace.decide.CommandView;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Issuer;
import io.millrace.model.quota.Quota;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.plan.QuotaPlanner;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.domain.view.QuotaView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A full cluster of many users, for quota-service's planner. One job needs the cores of a given number of victims. */
final class QuotaFixture {

    private static final ClusterId CLUSTER = ClusterId.of("bench");
    private static final UserName OPERATOR = UserName.of("op");
    private static final UserName URGENT = UserName.of("urgent");
    private static final Instant NOW = Instant.parse("2026-03-02T12:00:00Z");

    private final ClusterView view = new ClusterView(CLUSTER);
    private final ActiveQuotas quotas = new ActiveQuotas(0);

    QuotaFixture(final int waiting, final int running, final int users, final int victims, final int within) {
        final Random random = new Random(1);
        for (int user = 0; user < users; user++) {
            quotas.put(new Quota(user(user), CLUSTER, 8, OPERATOR, "bench", NOW, 1));
        }
        quotas.put(new Quota(URGENT, CLUSTER, 8 * running, OPERATOR, "bench", NOW, 1));
        int used = 0;
        for (int i = 0; i < running; i++) {
            final int cores = 1 + random.nextInt(8);
            used += cores;
            final JobState state = new JobState.Running(NOW.minusSeconds(i), List.of(NodeName.of("n" + i % 100)));
            view.apply(job("r" + i, user(i % users), cores, state));
        }
        for (int i = 0; i < waiting; i++) {
            view.apply(job("w" + i, user(i % users), 1 + random.nextInt(16), new JobState.Held(HoldKind.ENTRY)));
        }
        if (victims > 0) {
            view.apply(job("u", URGENT, 9 * victims / 2, new JobState.Held(HoldKind.ENTRY)));
        }
        for (int i = 0; i < within; i++) {
            final UserName newcomer = UserName.of("newcomer" + i);
            quotas.put(new Quota(newcomer, CLUSTER, 8, OPERATOR, "bench", NOW, 1));
            view.apply(job("n" + i, newcomer, 8, new JobState.Held(HoldKind.ENTRY)));
        }
        view.apply(new RevisionClosed(
                CLUSTER,
                1,
                NOW,
                new WlmHealth.Answering(),
                Control.DIRECTED,
                "bench",
                Resources.cores(used),
                Resources.NONE,
                Set.of(Capability.RECLAIM),
                0,
                null,
                null,
                Map.of()));
    }

    private static UserName user(final int number) {
        return UserName.of("user" + number);
    }

    private static JobObserved job(final String id, final UserName owner, final int cores, final JobState state) {
        return new JobObserved(
                new JobKey(new JobId(CLUSTER, id), NOW.minusSeconds(90_000)),
                id,
                owner,
                null,
                PartitionName.of("main"),
                state,
                null,
                Resources.cores(cores),
                Duration.ofHours(1),
                Eligibility.since(Instant.EPOCH),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    QuotaPlan plan() {
        return QuotaPlanner.plan(
                QuotaView.of(view, new CommandView(Issuer.QUOTA), quotas, user -> 0), QuotaPolicy.DEFAULT, NOW);
    }
}
