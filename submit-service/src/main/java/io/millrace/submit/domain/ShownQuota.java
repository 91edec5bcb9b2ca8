package io.millrace.submit.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.Request.QuotaAsked;
import io.millrace.model.policy.Usage;
import org.jspecify.annotations.Nullable;

/**
 * A user's quota on a cluster.
 *
 * @param inForce null if none was ever set
 * @param usage what the user's jobs occupy, null if nothing is known
 * @param asked the newest change asked for, unless it is in force or overtaken
 */
public record ShownQuota(
        ClusterId cluster,
        UserName user,
        @Nullable Quota inForce,
        @Nullable Usage usage,
        @Nullable QuotaAsked asked) {

    public ShownQuota {
        if (asked != null && inForce != null && asked.basedOn() < inForce.version()) {
            asked = null;
        }
    }
}
