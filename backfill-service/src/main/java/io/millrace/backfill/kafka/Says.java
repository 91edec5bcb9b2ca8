package io.millrace.backfill.kafka;

import io.millrace.backfill.Changes;
import io.millrace.log.Say;
import java.util.ArrayList;
import java.util.List;

/** Changes in the log's words. */
final class Says {

    private Says() {}

    static List<Say> of(final Changes changes) {
        final List<Say> says = new ArrayList<>();
        changes.events().forEach(event -> says.add(Say.put(event)));
        changes.removals().forEach(gone -> says.add(Say.remove(gone.topic(), gone.key(), gone.cluster())));
        return says;
    }
}
