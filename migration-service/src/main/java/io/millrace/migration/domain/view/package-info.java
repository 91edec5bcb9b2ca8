/**
 * What the log says, folded, and the free capacity that a pass reads from it and reduces by what it promises. No decisions.
 */
@NullMarked
package io.millrace.migration.domain.view;

import org.jspecify.annotations.NullMarked;
