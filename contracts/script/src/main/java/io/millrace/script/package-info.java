/**
 * Job scripts of Slurm, PBS and LSF. Parses directives ({@code #SBATCH}, {@code #PBS}, {@code #BSUB}), translates them for another workload
 * manager or reports what has no equivalent, sets the variables that the script expects, and wraps the script so that it runs unchanged.
 * Pure: no I/O, no clock, no randomness.
 */
@NullMarked
package io.millrace.script;

import org.jspecify.annotations.NullMarked;
