/**
 * Types that all parts of the domain share: the caller and the refusal of a request. Pure.
 *
 * <p>Decides: nothing; the packages below validate requests and compute what users see. A refusal
 * ({@link io.millrace.submit.domain.RequestRefused}) names the field and the remedy.
 */
@NullMarked
package io.millrace.submit.domain;

import org.jspecify.annotations.NullMarked;
