package io.millrace.decide;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A few words to build a cluster with. */
final class Cluster {

    static final ClusterId ALPHA = ClusterId.of("alpha");
    static final Instant T0 = Instant.parse("2026-03-01T08:00:00Z");
    static final JobState QUEUED = new JobState.Queued();
    static final JobState RUNNING = new JobState.Running(T0, List.of(NodeName.of("n1")));

    private Cluster() {}

    static JobKey key(final int number) {
        return new JobKey(new JobId(ALPHA, Integer.toString(number)), T0);
    }

    static JobObserved job(final int number, final int cores, final JobState state) {
        return new JobObserved(
                key(number),
                "job " + number,
                UserName.of("anna"),
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

    static NodeObserved node(final String name) {
        return new NodeObserved(
                ALPHA,
                NodeName.of(name),
                NodeObserved.Availability.UP,
                Resources.cores(8),
                Resources.cores(8),
                null,
                List.of(),
                List.of());
    }

    static PartitionObserved partition(final String name) {
        return new PartitionObserved(
                ALPHA, PartitionName.of(name), true, true, 8, null, PartitionLimits.NONE, Access.EVERYBODY);
    }

    static RevisionClosed marker(final long revision, final int freeCores, final long commandsIncluded) {
        return marker(revision, freeCores, commandsIncluded, Control.DIRECTED);
    }

    static RevisionClosed marker(
            final long revision, final int freeCores, final long commandsIncluded, final Control control) {
        return new RevisionClosed(
                ALPHA,
                revision,
                T0,
                new WlmHealth.Answering(),
                control,
                "local",
                Resources.cores(16),
                Resources.cores(freeCores),
                Set.of(),
                commandsIncluded,
                null,
                null,
                Map.of());
    }

    static Command command(final Action action, final int tries) {
        return command(action, tries, T0.plusSeconds(600));
    }

    static Command command(final Action action, final int tries, final Instant validUntil) {
        return new Command(
                Command.idOf(Issuer.BACKFILL, action, tries),
                ALPHA,
                Issuer.BACKFILL,
                1,
                T0,
                validUntil,
                List.of(),
                action,
                "because");
    }

    static Outcome answer(final Command command, final Result result) {
        return answer(command, result, T0.plusSeconds(5));
    }

    static Outcome answer(final Command command, final Result result, final Instant at) {
        return command.outcome(result, at);
    }
}
