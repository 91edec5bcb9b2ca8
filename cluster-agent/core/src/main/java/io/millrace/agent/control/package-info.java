/**
 * Decides who starts jobs on this cluster, Millrace (directed) or the local scheduler (native), and switches between them.
 */
@NullMarked
package io.millrace.agent.control;

import org.jspecify.annotations.NullMarked;
