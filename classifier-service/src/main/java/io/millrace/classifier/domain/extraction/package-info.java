/** The characteristics of real jobs: from the request, the script, the environment, and the extractors of the model. Pure. */
@NullMarked
package io.millrace.classifier.domain.extraction;

import org.jspecify.annotations.NullMarked;
