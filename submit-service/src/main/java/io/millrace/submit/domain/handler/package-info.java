/**
 * What a site attaches to the log: which events a handler wants, where they go, how a delivery that failed is repeated, and the
 * usage records of ended runs. Pure.
 */
@NullMarked
package io.millrace.submit.domain.handler;

import org.jspecify.annotations.NullMarked;
