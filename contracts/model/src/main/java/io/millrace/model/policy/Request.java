package io.millrace.model.policy;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.transfer.Place;
import java.time.Instant;

/** The family of {@code millrace.requests}: asking the one writer of a compacted key for a change. */
public sealed interface Request extends Event {

    /**
     * Asks quota-service for another quota.
     *
     * @param basedOn version the asker had seen (0: none); another version in force refuses the request
     */
    record QuotaAsked(
            UserName user, ClusterId on, int cores, UserName author, String reason, long basedOn, Instant asked)
            implements Request {
        @Override
        public String key() {
            return on + "/" + user;
        }
    }

    /** Asks transfer-service to bring a tree from one cluster to another. Asking twice is asking once. */
    record TransferAsked(TransferId id, AttemptId attempt, UserName owner, Place from, Place to, Instant asked)
            implements Request {
        @Override
        public String key() {
            return id.value();
        }
    }

    /** Says that a transfer is no longer wanted. */
    record TransferUnwanted(TransferId id, String because, Instant asked) implements Request {
        @Override
        public String key() {
            return id.value();
        }
    }

    /**
     * Asks quota-service for other rules of priority, in full.
     *
     * @param basedOn version the asker had seen (0: none); another version in force refuses the request
     */
    record PriorityAsked(PriorityRules rules, UserName author, String reason, long basedOn, Instant asked)
            implements Request {
        @Override
        public String key() {
            return PrioritySet.KEY;
        }
    }
}
