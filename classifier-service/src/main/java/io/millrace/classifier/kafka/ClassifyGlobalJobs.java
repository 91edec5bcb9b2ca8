package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.ClassModel;
import io.millrace.classifier.domain.JobCharacteristics;
import io.millrace.classifier.domain.PublishedClasses;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.loop.Decider;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobRef;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Classified;
import io.millrace.model.protocol.Topic;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Classifies global jobs until they end. */
final class ClassifyGlobalJobs implements Decider {

    private final ClassModel model;
    /** A submission precedes its global job, so a job without a global job may still appear. */
    private final PublishedClasses classes = new PublishedClasses(false);

    private final Set<GlobalJobId> over = new HashSet<>();

    ClassifyGlobalJobs(final ClassModel model) {
        this.model = model;
    }

    @Override
    public void apply(final LogRecord read) {
        switch (read.event()) {
            case JobSubmitted job -> classify(job);
            case GlobalJob job -> {
                if (job.state().isFinal()) {
                    over.add(job.id());
                    classes.removed(job.id());
                } else {
                    classify(job.submission());
                }
            }
            case Classified classified when classified.job() instanceof GlobalJobId -> classes.read(classified);
            case null -> {
                if (read.topic() == Topic.CLASSES && JobRef.of(read.key()) instanceof GlobalJobId job) {
                    classes.readRemoved(job);
                }
            }
            default -> {}
        }
    }

    private void classify(final JobSubmitted job) {
        if (!over.contains(job.job())) {
            classes.classified(model.classify(job.job(), JobCharacteristics.of(job)));
        }
    }

    @Override
    public List<OutgoingEvent> decide(final Instant now) {
        return ClassificationEvents.of(classes.decide());
    }
}
