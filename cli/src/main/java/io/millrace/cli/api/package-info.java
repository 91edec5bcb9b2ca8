/**
 * The connection to the REST API: the client, its event stream, the login on a node without a password, the stored token and the
 * settings of {@code ~/.config/millrace}.
 *
 * <p>A failed request becomes a {@link io.millrace.cli.api.CommandException} with the exit code of the command.
 */
@NullMarked
package io.millrace.cli.api;

import org.jspecify.annotations.NullMarked;
