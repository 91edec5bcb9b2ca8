package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.ClassPlacements;
import io.millrace.classifier.domain.ClassifyJob;
import io.millrace.classifier.domain.PublishedClasses;
import io.millrace.classifier.domain.StageCounters;
import io.millrace.classifier.domain.estimate.JobEstimates;
import io.millrace.classifier.domain.estimate.RunTimeRatios;
import io.millrace.classifier.domain.estimate.SimilarRuns;
import io.millrace.classifier.domain.extraction.JobFacts;
import io.millrace.classifier.domain.view.RunHistory;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.StoredTexts;
import io.millrace.log.loop.Decider;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobRef;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.ClassPlacement;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.PlacementTable;
import io.millrace.model.policy.Request.ClassModelRequested;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Classifies global jobs until they end, estimates their run times, and publishes where jobs of each class may be moved. */
final class ClassifyGlobalJobs implements Decider {

    private static final Duration MEASURE_EVERY = Duration.ofHours(1);

    /** @param placed it keeps the classes that it was placed with */
    private record Pending(JobSubmitted job, boolean placed) {}

    private final ChangeModel model;
    private final ClassifyJob classifier;
    private final JobEstimates estimates;
    private final RunHistory history;
    private final RunTimeRatios ratios = new RunTimeRatios();
    private final List<ClassPlacement> placements;
    /** A submission precedes its global job, so a job without a global job may still appear. */
    private final PublishedClasses classes = new PublishedClasses(false);

    /** Classified when a decision is due, because a replay reads jobs before the history. */
    private final Map<GlobalJobId, Pending> pending = new LinkedHashMap<>();

    private final Set<GlobalJobId> over = new HashSet<>();
    private final StoredTexts texts = new StoredTexts();
    private PlacementTable published = PlacementTable.EMPTY;
    private Instant measured = Instant.MIN;

    ClassifyGlobalJobs(final ModelInForce model, final double estimateQuantile, final StageCounters work) {
        this.model = new ChangeModel(model);
        classifier = new ClassifyJob(model.model(), model.set().version(), work);
        estimates = new JobEstimates(new SimilarRuns(estimateQuantile));
        // A global job counts by its submission, which has more characteristics than its run on a cluster.
        history = new RunHistory(classifier, estimates, run -> run.attempt() == null);
        placements = ClassPlacements.of(model.model());
    }

    @Override
    public void apply(final LogRecord read) {
        switch (read.event()) {
            case JobSubmitted job -> classify(job, false);
            case GlobalJob job -> {
                if (job.state().isFinal()) {
                    ended(job);
                } else {
                    classify(job.submission(), !(job.state() instanceof GlobalJobState.Waiting));
                }
            }
            case RunEnded end -> {
                if (history.ended(end)) {
                    ratios.ended(end);
                    recent(end);
                }
            }
            case ClassModelRequested request -> model.requested(request);
            case Classified classified when classified.job() instanceof GlobalJobId -> classes.read(classified);
            case PlacementTable table when measured.equals(Instant.MIN) -> published = table;
            case null -> {
                if (read.topic() == Topic.CLASSES && JobRef.of(read.key()) instanceof GlobalJobId job) {
                    classes.readRemoved(job);
                }
            }
            default -> {}
        }
    }

    /** Learns from a run of an imported history. @param inLog later ends may be on the log */
    void imported(final RunEnded end, final Instant inLog) {
        history.imported(end, inLog);
        ratios.ended(end);
    }

    private void ended(final GlobalJob job) {
        if (over.add(job.id()) && job.state() instanceof GlobalJobState.End) {
            classifier.executed(JobFacts.of(job.submission()));
        }
        pending.remove(job.id());
        texts.ended(job.id());
        classes.removed(job.id());
    }

    /** A global job is known by its submission. */
    private void recent(final RunEnded end) {
        if (end.attempt() == null && end.outcome().endsTheJob() && end.startedAt() != null) {
            model.recent().add(end.job().toString(), JobFacts.of(end), true);
        }
    }

    private void classify(final JobSubmitted job, final boolean placed) {
        model.recent().add(job.job().value(), JobFacts.of(job), false);
        if (!over.contains(job.job())) {
            pending.put(job.job(), new Pending(texts.keep(job), placed));
        }
    }

    private void classify(final Pending next) {
        final JobSubmitted job = texts.complete(next.job());
        final Classified now =
                estimates.complete(classifier.classify(job.job(), JobFacts.of(job)), classes.of(job.job()), job);
        if (next.placed()) {
            classes.classifiedAfterStart(now);
        } else {
            classes.classified(now);
        }
    }

    @Override
    public boolean isOutdated() {
        return model.isOutdated();
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        pending.values().forEach(this::classify);
        pending.keySet().forEach(texts::ended);
        pending.clear();
        final List<OutgoingEvent> changes = new ArrayList<>(ClassificationEvents.of(classes.decide()));
        model.decide().forEach(event -> changes.add(OutgoingEvent.put(event)));
        if (measured.equals(Instant.MIN) || !measured.plus(MEASURE_EVERY).isAfter(now)) {
            measured = now;
            final PlacementTable table = new PlacementTable(placements, ratios.measured());
            if (!table.equals(published)) {
                published = table;
                changes.add(OutgoingEvent.put(table));
            }
        }
        return changes;
    }
}
