/**
 * How a job script is handed to a workload manager, the same for every adapter.
 *
 * <p>Decides what is handed in with a submission: the translated options, the wrapped script with its prologue, the modules of the
 * software it wants. Reads the submission alone; a dry run also looks, with the owner's rights, which of the script's paths are there.
 */
@NullMarked
package io.millrace.agent.script;

import org.jspecify.annotations.NullMarked;
