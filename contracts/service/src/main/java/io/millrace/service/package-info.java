/**
 * What every deciding service runs in.
 *
 * <p>Decides nothing. A service produces one bean, its {@link io.millrace.service.Loops}: what each loop reads and who decides in it.
 * Reads where the log is ({@code millrace.kafka.*}); starts the loops when the broker answers and ends them with the application.
 * Announces, over HTTP, whether the service can do its work, and the figures of its loops.
 */
@NullMarked
package io.millrace.service;

import org.jspecify.annotations.NullMarked;
