/**
 * Support for the integration tests of the services.
 *
 * <p>Starts a packaged service, reads its output, readiness and metrics, and writes and reads the log on the tests' broker. A wait that
 * fails reports the records that it found.
 */
@NullMarked
package io.millrace.testing.service;

import org.jspecify.annotations.NullMarked;
