package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.UserName;

/**
 * What a user's jobs occupy on a cluster now.
 *
 * @param guaranteedCores of the cores in use, those within the quota
 * @param borrowedCores those beyond it
 * @param waitingCores asked for by waiting jobs
 * @param quotaCores the quota they are measured by
 * @param asked_core_s core-seconds that the running jobs have asked for: allocated cores x walltime limit
 */
public record Usage(
        ClusterId on,
        UserName user,
        int guaranteedCores,
        int borrowedCores,
        int waitingCores,
        int quotaCores,
        long asked_core_s)
        implements Event {

    @Override
    public String key() {
        return on + "/" + user;
    }

    @Override
    public ClusterId cluster() {
        return on;
    }
}
