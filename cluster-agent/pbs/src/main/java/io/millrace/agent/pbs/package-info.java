/**
 * Formats that PBS Pro, OpenPBS and Torque share: job ids, durations, sizes, times, hold types, hosts of a job, exit status, and
 * the attributes of a job, queue, node or server.
 *
 * <p>Pure parsing and formatting, without decisions or commands. A value in an unknown format reads as missing, so that one odd
 * value does not invalidate a whole observation. Methods that throw an exception instead document it.
 */
@NullMarked
package io.millrace.agent.pbs;

import org.jspecify.annotations.NullMarked;
