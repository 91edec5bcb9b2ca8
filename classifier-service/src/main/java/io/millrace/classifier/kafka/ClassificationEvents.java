package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.PublishedClasses.Change;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.JobKey;
import io.millrace.model.protocol.Topic;
import java.util.List;

/** Converts changes of classifications to events. */
final class ClassificationEvents {

    private ClassificationEvents() {}

    static List<OutgoingEvent> of(final List<Change> changes) {
        return changes.stream().map(ClassificationEvents::of).toList();
    }

    private static OutgoingEvent of(final Change change) {
        return switch (change) {
            case Change.Publish said -> OutgoingEvent.put(said.classified());
            case Change.Remove off ->
                OutgoingEvent.remove(
                        Topic.CLASSES,
                        off.job().toString(),
                        off.job() instanceof JobKey local ? local.cluster() : null);
        };
    }
}
