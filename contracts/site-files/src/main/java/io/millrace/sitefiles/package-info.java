/**
 * Reads the YAML files of the site into records.
 *
 * <p>Jackson binds the values. Each error names file, line, column, value and remedy. The module knows no file in particular: each
 * service defines the records of its files.
 */
@NullMarked
package io.millrace.sitefiles;

import org.jspecify.annotations.NullMarked;
