/**
 * The site's files, read node by node, so that whoever wrote an error is told line and column.
 *
 * <p>Knows nothing of what a file says: each service reads its own files with it.
 */
@NullMarked
package io.millrace.yaml;

import org.jspecify.annotations.NullMarked;
