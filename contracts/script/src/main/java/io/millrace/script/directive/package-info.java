/**
 * Parses the directives of a job script: the option tables of sbatch, qsub and bsub, the formats of their values, and the totals that the
 * script requests.
 */
@NullMarked
package io.millrace.script.directive;

import org.jspecify.annotations.NullMarked;
