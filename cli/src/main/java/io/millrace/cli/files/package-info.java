/** Files of jobs: mgpeek and mgtail. */
@NullMarked
package io.millrace.cli.files;

import org.jspecify.annotations.NullMarked;
