/** How much one user, and all users together, may use of this service. Knows neither HTTP nor the log. */
@NullMarked
package io.millrace.submit.limits;

import org.jspecify.annotations.NullMarked;
