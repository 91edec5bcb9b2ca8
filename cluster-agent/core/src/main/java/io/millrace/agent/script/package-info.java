/**
 * Prepares job scripts for submission, common to all adapters.
 *
 * <p>A submission consists of the translated options and the wrapped script with its prologue, which loads the modules of the requested
 * software. A dry run also checks, with the owner's rights, which paths of the script exist.
 */
@NullMarked
package io.millrace.agent.script;

import org.jspecify.annotations.NullMarked;
