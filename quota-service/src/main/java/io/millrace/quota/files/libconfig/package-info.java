/**
 * Reads configuration files in the syntax of libconfig (hyperrealm.github.io/libconfig), the format of the limits of the Lomonosov extension of
 * Slurm.
 *
 * <p>Returns values with their positions.
 */
@NullMarked
package io.millrace.quota.files.libconfig;

import org.jspecify.annotations.NullMarked;
