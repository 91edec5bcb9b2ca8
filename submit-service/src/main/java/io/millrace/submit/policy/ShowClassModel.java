package io.millrace.submit.policy;

import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.Request.ClassModelRequested;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.policy.ClassModelState;
import io.millrace.submit.store.LatestEvents;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** Shows the class model, and the answers to an operator's previews. */
@ApplicationScoped
public class ShowClassModel {

    private final LatestEvents facts;

    ShowClassModel(final LatestEvents facts) {
        this.facts = facts;
    }

    @Transactional
    public ClassModelState model() {
        final ClassModelRequested request = facts.find(Topic.REQUESTS, ClassModelSet.KEY, ClassModelRequested.class)
                .orElse(null);
        return ClassModelState.of(
                facts.find(Topic.QUOTAS, ClassModelSet.KEY, ClassModelSet.class).orElse(null),
                request,
                request == null
                        ? null
                        : facts.find(Topic.QUOTAS, ClassModelChecked.keyOf(request.author()), ClassModelChecked.class)
                                .orElse(null));
    }

    /**
     * The latest preview of the caller.
     *
     * @throws RequestRefused if the caller is not an operator, or has requested none
     */
    @Transactional
    public ClassModelChecked preview(final Caller caller) {
        caller.requireOperator(ChangeClassModel.WHAT);
        return facts.find(Topic.QUOTAS, ClassModelChecked.keyOf(caller.user()), ClassModelChecked.class)
                .filter(ClassModelChecked::preview)
                .orElseThrow(() -> RequestRefused.notFound("no preview of user '" + caller.user()
                        + "' found; request one, or wait until classifier-service has answered"));
    }
}
