/**
 * The files of classification: the model (YAML), and jobs, executed jobs and results (JSON, one a line). Their format is described in
 * {@code docs/guide/classification.md}.
 */
@NullMarked
package io.millrace.classifier.file;

import org.jspecify.annotations.NullMarked;
