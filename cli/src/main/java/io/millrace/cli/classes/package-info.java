/** The class model: show, change and preview. */
@NullMarked
package io.millrace.cli.classes;

import org.jspecify.annotations.NullMarked;
