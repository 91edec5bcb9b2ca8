/**
 * The site file: licences and maintenance windows that operators declare per cluster.
 *
 * <p>Reads the YAML file named by {@code millrace.backfill.site-file} and reports errors with line and column.
 */
@NullMarked
package io.millrace.backfill.site;

import org.jspecify.annotations.NullMarked;
