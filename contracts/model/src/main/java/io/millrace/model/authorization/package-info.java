/**
 * What submit-service signs, so that write access to the broker is not enough to act as a user: a submission, a dry run, the reading of a
 * file. The text is decided here, once, for those who sign and those who verify: submit-service, the agents, and the small program that
 * changes the user on a cluster (deploy/agent/helper).
 */
@NullMarked
package io.millrace.model.authorization;

import org.jspecify.annotations.NullMarked;
