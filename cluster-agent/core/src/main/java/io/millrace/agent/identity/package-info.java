/**
 * Whether a submission may be carried out for its owner.
 *
 * <p>Whoever can write a submit command could act as any user; so each submission carries a signature of submit-service over owner, job
 * and scripts, and the agent checks it before it makes or submits anything. Reads the public keys that submit-service publishes as a
 * file; announces nothing: a submission that does not pass is a veto that the command's outcome carries.
 */
@NullMarked
package io.millrace.agent.identity;

import org.jspecify.annotations.NullMarked;
