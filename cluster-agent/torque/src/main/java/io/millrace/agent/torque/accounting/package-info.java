/**
 * How runs on a Torque server ended.
 *
 * <p>Reads the accounting log, completed jobs of {@code qstat}, and {@code tracejob}. Decides the outcome of each run. Keeps a file that
 * records which attempt became which job, because the accounting log does not contain it.
 */
@NullMarked
package io.millrace.agent.torque.accounting;

import org.jspecify.annotations.NullMarked;
