/**
 * The runtime of every deciding service.
 *
 * <p>A service produces one bean, its {@link io.millrace.service.Loops}: the topics and the decider of each loop. The runtime reads
 * {@code millrace.kafka.*}, starts the loops when the broker answers, stops them with the application, and publishes readiness and
 * metrics over HTTP.
 */
@NullMarked
package io.millrace.service;

import org.jspecify.annotations.NullMarked;
