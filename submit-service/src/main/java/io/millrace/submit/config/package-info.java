/** The settings of submit-service, its clock and its source of randomness. */
@NullMarked
package io.millrace.submit.config;

import org.jspecify.annotations.NullMarked;
