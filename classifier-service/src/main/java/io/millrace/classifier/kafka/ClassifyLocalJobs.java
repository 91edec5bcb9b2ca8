package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.ClassModel;
import io.millrace.classifier.domain.JobCharacteristics;
import io.millrace.classifier.domain.PublishedClasses;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.Decider;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.policy.Classified;
import io.millrace.model.protocol.Topic;
import java.time.Instant;
import java.util.List;

/** Classifies the local jobs of the clusters. */
final class ClassifyLocalJobs implements Decider {

    private final ClassModel model;
    /** The cluster state names every existing job. */
    private final PublishedClasses classes = new PublishedClasses(true);

    ClassifyLocalJobs(final ClassModel model) {
        this.model = model;
    }

    @Override
    public void apply(final LogRecord read) {
        switch (read.event()) {
            case JobObserved job -> classes.classified(model.classify(job.job(), JobCharacteristics.of(job)));
            case Classified classified when classified.job() instanceof JobKey -> classes.read(classified);
            case null -> applyTombstone(read);
            default -> {}
        }
    }

    private void applyTombstone(final LogRecord read) {
        if (read.topic() == Topic.CLASSES) {
            if (JobRef.of(read.key()) instanceof JobKey job) {
                classes.readRemoved(job);
            }
            return;
        }
        final String cluster = read.key().substring(0, read.key().indexOf('/'));
        final String about = read.key().substring(cluster.length() + 1);
        if (about.startsWith("job/")) {
            classes.removed(JobKey.of(cluster + "/" + about.substring("job/".length())));
        }
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        return ClassificationEvents.of(classes.decide());
    }
}
