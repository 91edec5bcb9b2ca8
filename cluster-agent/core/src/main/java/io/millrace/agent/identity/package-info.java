/**
 * Checks whether the owner of a submission has authorized it.
 *
 * <p>Write access to the topic of commands must not be enough to act as any user. Therefore each submission carries a signature of
 * submit-service over owner, job and scripts, which the agent verifies before it runs a make step or submits the job. The public keys
 * come from a file that submit-service publishes. An invalid signature results in a veto in the outcome of the command.
 */
@NullMarked
package io.millrace.agent.identity;

import org.jspecify.annotations.NullMarked;
