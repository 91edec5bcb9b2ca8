package io.millrace.agent.domain;

import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.RunEnded;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observations with bounded texts, because the name of one job must not keep the whole cluster from being published. They are bounded
 * before they are compared with what is published, so that a long text is not a change at each poll.
 */
public final class BoundedEvents {

    private static final int MOST_DEPENDENCIES = 100;
    private static final int MOST_DEPENDENCY_CHARACTERS = 1000;

    private BoundedEvents() {}

    public static JobObserved of(final JobObserved job) {
        final String name = BoundedText.of(job.name());
        final String reason = bounded(job.reason());
        final JobState state = job.state() instanceof JobState.Unknown unknown
                ? new JobState.Unknown(BoundedText.of(unknown.code()))
                : job.state();
        final JobDetail detail = bounded(job.detail());
        if (name.equals(job.name())
                && Objects.equals(reason, job.reason())
                && state.equals(job.state())
                && detail == job.detail()) {
            return job;
        }
        return new JobObserved(
                job.job(),
                name,
                job.owner(),
                job.project(),
                job.partition(),
                state,
                reason,
                job.resources(),
                job.walltime(),
                job.eligibility(),
                job.attempt(),
                job.restarts(),
                job.priority(),
                job.checkpoint(),
                detail);
    }

    /** The eligibility of the job says whether it waits for them; their texts are only shown. */
    private static JobDetail bounded(final JobDetail detail) {
        final List<String> all = detail.dependencies();
        final List<String> some = new ArrayList<>();
        all.stream()
                .limit(MOST_DEPENDENCIES)
                .map(text -> BoundedText.of(text, MOST_DEPENDENCY_CHARACTERS))
                .forEach(some::add);
        if (all.size() > MOST_DEPENDENCIES) {
            some.add(
                    all.size() == MOST_DEPENDENCIES + 1
                            ? BoundedText.of(all.getLast(), MOST_DEPENDENCY_CHARACTERS)
                            : "… (" + all.size() + " dependencies)");
        }
        return some.equals(all)
                ? detail
                : new JobDetail(
                        detail.qos(),
                        detail.array(),
                        some,
                        detail.placement(),
                        detail.interactive(),
                        detail.rerunnable(),
                        detail.partitions(),
                        detail.tier(),
                        detail.claimedProject());
    }

    public static NodeObserved of(final NodeObserved node) {
        final String reason = bounded(node.reason());
        return Objects.equals(reason, node.reason())
                ? node
                : new NodeObserved(
                        node.cluster(),
                        node.node(),
                        node.availability(),
                        node.total(),
                        node.free(),
                        reason,
                        node.features(),
                        node.partitions());
    }

    public static RunEnded of(final RunEnded end) {
        final String name = BoundedText.of(end.name());
        return name.equals(end.name())
                ? end
                : new RunEnded(
                        end.job(),
                        name,
                        end.attempt(),
                        end.owner(),
                        end.project(),
                        end.partition(),
                        end.resources(),
                        end.walltime(),
                        end.run(),
                        end.startedAt(),
                        end.endedAt(),
                        end.outcome(),
                        end.lostCoreSeconds(),
                        end.source(),
                        end.used());
    }

    private static @Nullable String bounded(final @Nullable String text) {
        return text == null ? null : BoundedText.of(text);
    }
}
