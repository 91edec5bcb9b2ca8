package io.millrace.log.loop;

import io.millrace.model.protocol.Topic;

/** From where a topic is read again when a shard opens. */
enum ReplayStart {
    /** Compacted topics are the state: from the beginning. */
    FROM_BEGINNING,
    /** Commands and their answers matter as long as a command can be valid. */
    FROM_AN_HOUR_AGO,
    /** Each record is handled once per commit: from the group's committed offset, the beginning if there is none. */
    FROM_COMMITTED;

    static ReplayStart of(final Topic topic) {
        return switch (topic) {
            case CLUSTER_STATE,
                    CLASSES,
                    ENTITLEMENTS,
                    PLANS,
                    USAGE,
                    AVAILABILITY,
                    QUOTAS,
                    LOCKS,
                    NUMBERS,
                    GLOBAL_JOBS,
                    TRANSFERS -> FROM_BEGINNING;
            case COMMANDS, OUTCOMES -> FROM_AN_HOUR_AGO;
            case SUBMISSIONS, REQUESTS, JOB_ENDS, LEDGER, FILE_REQUESTS, FILE_ANSWERS -> FROM_COMMITTED;
        };
    }
}
