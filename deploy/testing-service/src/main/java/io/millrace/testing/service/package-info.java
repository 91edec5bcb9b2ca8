/**
 * What the tests of every deciding service share.
 *
 * <p>Decides how long a test waits before it calls something missing. Reads the tests' broker, a packaged service's output, readiness
 * and figures. Announces on the log what a test puts there, and in a failure what it found instead of what it waited for.
 */
@NullMarked
package io.millrace.testing.service;

import org.jspecify.annotations.NullMarked;
