/** Routes for budgets and limits of processor time. */
@NullMarked
package io.millrace.submit.rest.budgets;

import org.jspecify.annotations.NullMarked;
