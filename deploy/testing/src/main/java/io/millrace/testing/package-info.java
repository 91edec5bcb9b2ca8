/**
 * What the tests of every module share.
 *
 * <p>Decides: whether Kafka and MariaDB come from containers or run embedded; whether a service keeps its layers.
 * Reads: the Docker engine's answer, {@code MILLRACE_TEST_*} settings, compiled classes.
 * Announces: which way it took and why, once, on standard error.
 */
@NullMarked
package io.millrace.testing;

import org.jspecify.annotations.NullMarked;
