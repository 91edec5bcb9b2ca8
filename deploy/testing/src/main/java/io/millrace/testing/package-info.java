/**
 * Support for the tests of every module: a Kafka broker, a MariaDB server and the layering rules.
 *
 * <p>Decides: whether Kafka and MariaDB run in containers or embedded; whether a service follows the layering rules.
 * Reads: the Docker engine's answer, {@code MILLRACE_TEST_*} settings, compiled classes.
 * Publishes: the choice and its reason, once, on standard error.
 */
@NullMarked
package io.millrace.testing;

import org.jspecify.annotations.NullMarked;
