/**
 * The REST API of Millrace: accepts submissions and requests, and serves the read model and its changes.
 *
 * <p>Decides: whether a request is accepted, under which id, and what the caller may see. Reads: every topic, applied to MariaDB by
 * {@link io.millrace.submit.projection.UpdateReadModel} in one transaction with the offsets. Publishes: submissions and stops on
 * {@code millrace.submissions}, requested quota changes on {@code millrace.requests}. The database contains only the
 * projection.
 */
@NullMarked
package io.millrace.submit;

import org.jspecify.annotations.NullMarked;
