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
}
