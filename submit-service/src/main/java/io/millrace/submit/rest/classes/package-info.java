/** Routes for the class model: read, change and preview. */
@NullMarked
package io.millrace.submit.rest.classes;

import org.jspecify.annotations.NullMarked;
