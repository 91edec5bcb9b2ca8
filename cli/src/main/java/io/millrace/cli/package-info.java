/**
 * The commands that people type: mgsub, mgstat, mgstop, mgprio, mgquota, mgusage, mghandler, findavl, mglogin.
 *
 * <p>Decide nothing: what a job is and what may be seen is decided behind the REST API, whose answers are shown as they are. Read: the
 * environment, {@code ~/.config/millrace}, the API. No framework, so that a command answers well under a second.
 */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
