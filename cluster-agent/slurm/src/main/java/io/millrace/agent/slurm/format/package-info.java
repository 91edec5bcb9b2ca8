/** Slurm's notations: tables, host lists, array indices, TRES, times, sizes, names and wait statuses. Depends on no other Slurm package. */
@NullMarked
package io.millrace.agent.slurm.format;

import org.jspecify.annotations.NullMarked;
