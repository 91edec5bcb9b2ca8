package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.ModelChanges;
import io.millrace.classifier.domain.ModelPreview;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.view.RecentJobs;
import io.millrace.classifier.file.ModelFile;
import io.millrace.model.Event;
import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.Request.ClassModelRequested;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The only writer of the class model: publishes that of the file, answers requests, and previews drafts. Owned by one deciding loop. */
final class ChangeModel {

    private static final Logger LOG = LoggerFactory.getLogger(ChangeModel.class);

    private final ModelInForce loaded;
    private final List<ClassModelRequested> requested = new ArrayList<>();
    private final RecentJobs recent = new RecentJobs();
    private ClassModelSet inForce;
    private boolean isPublished;

    ChangeModel(final ModelInForce loaded) {
        this.loaded = loaded;
        inForce = loaded.set();
        isPublished = loaded.isPublished();
    }

    RecentJobs recent() {
        return recent;
    }

    void requested(final ClassModelRequested request) {
        requested.add(request);
    }

    List<Event> decide() {
        final List<Event> events = new ArrayList<>();
        if (!isPublished) {
            isPublished = true;
            events.add(inForce);
        }
        requested.forEach(request -> events.add(answer(request)));
        requested.clear();
        return events;
    }

    /** A request never stops the service: any failure refuses it, with the reason. */
    private Event answer(final ClassModelRequested request) {
        try {
            return checked(request);
        } catch (final RuntimeException | StackOverflowError e) {
            LOG.error("Class model cannot be processed: author={}", request.author(), e);
            return refused(request, "the class model cannot be processed: " + e);
        }
    }

    private Event checked(final ClassModelRequested request) {
        final ClassModel draft;
        try {
            draft = ModelFile.parse("class model", request.model());
        } catch (final IllegalArgumentException e) {
            return refused(request, String.valueOf(e.getMessage()));
        }
        if (request.preview()) {
            return ModelPreview.of(request, loaded.model(), draft, recent.all());
        }
        final Optional<String> conflict = ModelChanges.conflict(request, inForce);
        if (conflict.isPresent()) {
            return refused(request, conflict.get());
        }
        inForce = ModelChanges.granted(request, ModelPreview.warnings(draft), inForce);
        LOG.info(
                "Class model changed: decision=granted author={} version={} reason={}",
                inForce.author(),
                inForce.version(),
                inForce.reason());
        return inForce;
    }

    private static ClassModelChecked refused(final ClassModelRequested request, final String reason) {
        LOG.info("Class model refused: decision=refused author={} reason={}", request.author(), reason);
        return new ClassModelChecked(
                request.author(),
                request.requestedAt(),
                request.preview(),
                reason,
                List.of(),
                0,
                0,
                List.of(),
                List.of());
    }

    /** Whether jobs must be classified again, with another model. */
    boolean isOutdated() {
        return loaded.isReplacedBy(inForce);
    }
}
