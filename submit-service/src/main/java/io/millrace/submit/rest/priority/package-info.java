/**
 * Routes for priority rules, the resulting order of waiting jobs, and the preview of other rules.
 */
@NullMarked
package io.millrace.submit.rest.priority;

import org.jspecify.annotations.NullMarked;
