/**
 * The batch script that is submitted: the preamble with directory, output, variables and modules, and the script of the user unchanged.
 * Also finds commands and paths in a script that may be missing on the target cluster.
 */
@NullMarked
package io.millrace.script.wrapper;

import org.jspecify.annotations.NullMarked;
