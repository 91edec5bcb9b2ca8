/**
 * Positions and records of the log, and the latest state that the projection keeps per key. Pure.
 */
@NullMarked
package io.millrace.submit.domain.log;

import org.jspecify.annotations.NullMarked;
