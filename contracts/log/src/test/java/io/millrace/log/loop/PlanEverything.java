package io.millrace.log.loop;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.access.Part.Service;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import io.millrace.model.protocol.Topic;
import io.millrace.model.quota.LedgerEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Starts every waiting job, publishes a plan of each, and books each ended run, which it reads once per commit. */
class PlanEverything extends StartEverything {

    private final String scene;
    private final Set<Plan> plans = new HashSet<>();
    private final Set<String> published = new HashSet<>();
    private final List<RunEnded> ended = new ArrayList<>();

    PlanEverything(final String scene) {
        super(scene);
        this.scene = scene;
    }

    /** Takes the arguments of {@link Instance}. */
    public static void main(final String... args) throws InterruptedException {
        Instance.run(settings(args[0], args[1]), partition -> new PlanEverything(args[1]), args);
    }

    static LoopSettings settings(final String bootstrap, final String scene) {
        return LoopSettings.of(
                bootstrap,
                Service.QUOTA,
                "decider-" + scene,
                Topic.CLUSTER_STATE,
                Topic.COMMANDS,
                Topic.OUTCOMES,
                Topic.PLANS,
                Topic.JOB_ENDS);
    }

    @Override
    public void apply(final LogRecord record) {
        super.apply(record);
        if (!record.key().startsWith(scene)) {
            return;
        }
        switch (record.event()) {
            case JobObserved job -> plans.add(new Plan(job.job(), Issuer.BACKFILL, null, 0, "it starts", List.of()));
            case Plan plan -> published.add(plan.key());
            case RunEnded end -> ended.add(end);
            case null, default -> {}
        }
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        final List<OutgoingEvent> decided = new ArrayList<>();
        plans.stream()
                .filter(plan -> published.add(plan.key()))
                .map(OutgoingEvent::put)
                .forEach(decided::add);
        decided.addAll(super.decide(now));
        ended.stream().map(PlanEverything::booked).forEach(decided::add);
        ended.clear();
        return decided;
    }

    private static OutgoingEvent booked(final RunEnded end) {
        return OutgoingEvent.put(new LedgerEntry(
                end.job(), end.run(), end.owner(), null, end.endedAt(), List.of(), 1000, List.of(), null, null));
    }

    @Override
    public boolean isRecomputed(final OutgoingEvent decided) {
        return decided.topic() == Topic.PLANS;
    }
}
