package io.millrace.quota.domain;

import io.millrace.model.policy.Quota;
import io.millrace.model.policy.Request.QuotaAsked;

/** a quota changes only if the asker had seen the version in force; of two askers at once the second is refused. */
public final class QuotaRequests {

    /** What became of a request. */
    public sealed interface Answer {

        record Granted(Quota quota) implements Answer {}

        /** @param because names the version in force and the remedy */
        record Refused(QuotaAsked asked, String because) implements Answer {}
    }

    private QuotaRequests() {}

    public static Answer answer(final QuotaAsked asked, final QuotaBook book) {
        final Quota inForce = book.inForce(asked.user(), asked.on());
        final long version = inForce == null ? 0 : inForce.version();
        if (asked.cores() < 0) {
            return new Answer.Refused(asked, "a quota cannot be negative: " + asked.cores() + " cores");
        }
        if (asked.basedOn() != version) {
            return new Answer.Refused(
                    asked,
                    "it was based on version " + asked.basedOn() + ", in force is version " + version
                            + (inForce == null ? "" : " (" + inForce.cores() + " cores, by " + inForce.author() + ")")
                            + ": look again and ask anew");
        }
        return new Answer.Granted(new Quota(
                asked.user(), asked.on(), asked.cores(), asked.author(), asked.reason(), asked.asked(), version + 1));
    }
}
