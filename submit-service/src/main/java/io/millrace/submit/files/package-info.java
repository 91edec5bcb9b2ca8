/** Reads files of jobs through the agents. Publishes: requests for files. */
@NullMarked
package io.millrace.submit.files;

import org.jspecify.annotations.NullMarked;
