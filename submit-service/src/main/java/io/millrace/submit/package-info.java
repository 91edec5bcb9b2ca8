/**
 * The door: submissions and requests in, the read model and its changes out.
 *
 * <p>Decides: whether a request is accepted, under which id, and what its sender may see. Reads: every topic, folded into MariaDB by
 * {@link io.millrace.submit.UpdateReadModel} in one transaction with the offsets. Announces: submissions and stops on
 * {@code millrace.submissions}, quota changes asked for on {@code millrace.requests}; nothing is written to the database but the
 * projection.
 */
@NullMarked
package io.millrace.submit;

import org.jspecify.annotations.NullMarked;
