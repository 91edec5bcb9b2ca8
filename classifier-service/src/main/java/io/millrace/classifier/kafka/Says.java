package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.Classes.Change;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.JobKey;
import io.millrace.model.protocol.Topic;
import java.util.List;

/** Changes as the log takes them. */
final class Says {

    private Says() {}

    static List<OutgoingEvent> of(final List<Change> changes) {
        return changes.stream().map(Says::of).toList();
    }

    private static OutgoingEvent of(final Change change) {
        return switch (change) {
            case Change.Say said -> OutgoingEvent.put(said.classified());
            case Change.TakeOff off ->
                OutgoingEvent.remove(
                        Topic.CLASSES,
                        off.job().toString(),
                        off.job() instanceof JobKey local ? local.cluster() : null);
        };
    }
}
