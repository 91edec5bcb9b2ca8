/**
 * Reads configuration files in the syntax of libconfig (hyperrealm.github.io/libconfig), as the processor-hour limits of the Lomonosov
 * extension are written.
 *
 * <p>Text in, values with their places out; decides nothing.
 */
@NullMarked
package io.millrace.quota.files.libconfig;

import org.jspecify.annotations.NullMarked;
