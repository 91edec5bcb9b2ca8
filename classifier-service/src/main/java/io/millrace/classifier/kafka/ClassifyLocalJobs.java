package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.ClassifyJob;
import io.millrace.classifier.domain.PublishedClasses;
import io.millrace.classifier.domain.StageCounters;
import io.millrace.classifier.domain.estimate.JobEstimates;
import io.millrace.classifier.domain.estimate.SimilarRuns;
import io.millrace.classifier.domain.extraction.JobFacts;
import io.millrace.classifier.domain.view.RunHistory;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.Decider;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import io.millrace.model.cluster.ClusterStateKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.Classified;
import io.millrace.model.protocol.Topic;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Classifies the local jobs of the clusters and estimates their run times, from the jobs that have ended. */
final class ClassifyLocalJobs implements Decider {

    private final ModelInForce model;
    private final ClassifyJob classifier;
    private final JobEstimates estimates;
    private final RunHistory history;
    /** Classified when a decision is due, because a replay reads jobs before the history. */
    private final Map<JobKey, JobObserved> observed = new LinkedHashMap<>();

    /** The cluster state names every existing job. */
    private final PublishedClasses classes = new PublishedClasses(true);

    private boolean outdated;

    ClassifyLocalJobs(final ModelInForce model, final double estimateQuantile, final StageCounters work) {
        this.model = model;
        classifier = new ClassifyJob(model.model(), model.set().version(), work);
        estimates = new JobEstimates(new SimilarRuns(estimateQuantile));
        history = new RunHistory(classifier, estimates, run -> true);
    }

    @Override
    public void apply(final LogRecord read) {
        switch (read.event()) {
            case JobObserved job -> observed.put(job.job(), job);
            case ClassModelSet set when model.isReplacedBy(set) -> outdated = true;
            case RunEnded end -> history.ended(end);
            case Classified classified when classified.job() instanceof JobKey -> classes.read(classified);
            case null -> applyTombstone(read);
            default -> {}
        }
    }

    RunHistory history() {
        return history;
    }

    private void classify(final JobObserved job) {
        final Classified now =
                estimates.complete(classifier.classify(job.job(), JobFacts.of(job)), classes.of(job.job()), job);
        if (job.state().isWaiting()) {
            classes.classified(now);
        } else {
            classes.classifiedAfterStart(now);
        }
    }

    private void applyTombstone(final LogRecord read) {
        if (read.topic() == Topic.CLASSES) {
            if (JobRef.of(read.key()) instanceof JobKey job) {
                classes.readRemoved(job);
            }
            return;
        }
        if (ClusterStateKey.of(read.key()) instanceof ClusterStateKey.Job(var job)) {
            observed.remove(job);
            classes.removed(job);
        }
    }

    @Override
    public boolean isOutdated() {
        return outdated;
    }

    /** All of its records: a replay contains every job and the runs that it learns from. */
    @Override
    public boolean isRecomputed(final OutgoingEvent decided) {
        return true;
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        observed.values().forEach(this::classify);
        observed.clear();
        return ClassificationEvents.of(classes.decide());
    }
}
