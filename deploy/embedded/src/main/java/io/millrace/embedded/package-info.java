/**
 * A broker and a database that need no container.
 *
 * <p>Both are the real servers with small buffers. A part reads its data folder and its port, and prints one line "ready" with its
 * address when it accepts connections.
 */
@NullMarked
package io.millrace.embedded;

import org.jspecify.annotations.NullMarked;
