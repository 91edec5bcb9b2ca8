/** What the log says, folded. No decisions. */
@NullMarked
package io.millrace.migration.domain.view;

import org.jspecify.annotations.NullMarked;
