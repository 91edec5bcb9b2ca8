/** A cluster as migration-service sees it: its newest revision, and the state of the commands that were issued to it. */
@NullMarked
package io.millrace.migration.domain.cluster;

import org.jspecify.annotations.NullMarked;
