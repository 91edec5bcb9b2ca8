/**
 * The output of {@code bjobs}, {@code bhosts}, {@code bqueues}, {@code lshosts}, {@code bmgroup}, {@code bparams} and {@code lsb.events}.
 * One class per command line, with a pure {@code argv()} and a pure {@code read(result)}.
 */
@NullMarked
package io.millrace.agent.lsf.query;

import org.jspecify.annotations.NullMarked;
