package io.millrace.submit.domain;

import io.millrace.model.UserName;

/**
 * Who asks.
 *
 * @param operator operators see and stop every job; everybody else only their own
 */
public record Caller(UserName user, boolean operator) {

    public boolean maySee(final UserName owner) {
        return operator || user.equals(owner);
    }

    /**
     * @param what only operators can give, e.g. {@code another quota}
     * @throws RequestRefused if this is no operator
     */
    public void mustBeOperator(final String what) {
        if (!operator) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN, user + " is no operator: ask the operators of this site for " + what);
        }
    }
}
