/**
 * The adapter for the classic OpenPBS 2.3 and the Torque line (2.x to 6.x), through their command lines.
 *
 * <p>One class per command line, with a pure {@code argv()} and a pure {@code read(result)}. {@link io.millrace.agent.openpbs.Torque}
 * asks {@code qstat} (jobs, queues, server) and {@code pbsnodes}, each once per picture, in XML where the installed version has it and
 * in plain text everywhere else, and acts by {@code qsub}, {@code qalter}, {@code qhold}, {@code qrls}, {@code qrun}, {@code qrerun},
 * {@code qsig}, {@code qdel} and {@code qmgr}. Whose hold a job is under stands in its comment ({@link
 * io.millrace.agent.openpbs.HoldMark}), which only operators can write; how runs ended stands in the server's accounting log.
 */
@NullMarked
package io.millrace.agent.openpbs;

import org.jspecify.annotations.NullMarked;
