/**
 * Job scripts of Slurm, PBS and LSF, as their users wrote them.
 *
 * <p>Reads the directives ({@code #SBATCH}, {@code #PBS}, {@code #BSUB}) into neutral wishes; says in the words of another workload
 * manager what can be said there, and names what cannot; gives the job the variables its script knows; wraps the script so that it
 * runs unchanged and no system takes its directives for orders. Pure: no I/O, no clock, no chance.
 */
@NullMarked
package io.millrace.script;

import org.jspecify.annotations.NullMarked;
