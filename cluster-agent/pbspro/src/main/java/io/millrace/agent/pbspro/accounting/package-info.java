/**
 * How runs on a PBS server ended, and which jobs belong to an attempt.
 *
 * <p>Reads the job history ({@code qstat -x}), the accounting log and {@code tracejob}. Decides the outcome of each run.
 */
@NullMarked
package io.millrace.agent.pbspro.accounting;

import org.jspecify.annotations.NullMarked;
