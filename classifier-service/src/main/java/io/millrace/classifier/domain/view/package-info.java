/**
 * What the log says, folded: the history of executed jobs, and the last jobs. No decisions.
 */
@NullMarked
package io.millrace.classifier.domain.view;

import org.jspecify.annotations.NullMarked;
