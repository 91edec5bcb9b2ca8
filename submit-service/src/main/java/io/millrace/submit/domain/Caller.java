package io.millrace.submit.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated sender of a request.
 *
 * @param operator operators may see and stop every job, other users only their own
 * @param issuer whose login vouched for the user; null if a registered tool submits for the user
 */
public record Caller(
        UserName user, boolean operator, @Nullable ClusterId issuer) {

    public boolean maySee(final UserName owner) {
        return operator || user.equals(owner);
    }

    /** @throws RequestRefused for root, whose jobs no agent runs */
    public void requireOrdinaryUser() {
        if (user.value().equals("root")) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN,
                    "user 'root' cannot submit jobs, because Millrace runs nothing as root; submit as an ordinary"
                            + " user");
        }
    }

    /**
     * @param action what needs the operator role, e.g. {@code changing a quota}
     * @throws RequestRefused if the caller is not an operator
     */
    public void requireOperator(final String action) {
        if (!operator) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN,
                    action + " requires the operator role, which '" + user + "' does not have with a login on '"
                            + issuer + "'");
        }
    }
}
