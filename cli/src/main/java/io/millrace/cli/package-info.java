/**
 * The command line: mgsub, mgstat, mgstop, mgprio, mgclass, mgquota, mgbudget, mgusage, mghandler, findavl and mglogin.
 *
 * <p>The commands are clients of the REST API. The services validate and authorise; the commands show the responses. Input: the
 * environment, {@code ~/.config/millrace} and the API. No application framework, to keep the start time well below one second.
 */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
