/**
 * Submissions of registered tools through Kafka.
 *
 * <p>Decides: whether a signed request of a tool is accepted. Reads: the file of tools. Publishes: submissions, as for a request by REST.
 */
@NullMarked
package io.millrace.submit.tools;

import org.jspecify.annotations.NullMarked;
