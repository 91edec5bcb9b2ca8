/**
 * The text of the answers: tables, durations, sizes, the explanation of a job and of a dry run.
 *
 * <p>The classes turn JSON answers into lines and know nothing of the API or of options. Control characters never reach the terminal.
 */
@NullMarked
package io.millrace.cli.text;

import org.jspecify.annotations.NullMarked;
