/**
 * The adapter of docs/guide/adapter-author.md: a workload manager that can be observed and that takes, cancels and signals jobs.
 *
 * <p>It is compiled and tested, and not part of the agent. Its programs {@code skstat}, {@code sksub} and {@code skdel} do not
 * exist.
 */
@NullMarked
package io.millrace.agent.skeleton;

import org.jspecify.annotations.NullMarked;
