/**
 * The door's own rules, pure: what a submission must look like, its identity, how walltimes and command lines are read.
 *
 * <p>Decides: whether what was asked for is a job, and which id it gets. Reads: the request and who sent it. Announces nothing;
 * every no is a {@link io.millrace.submit.domain.RequestRefused} that names the field and the remedy.
 */
@NullMarked
package io.millrace.submit.domain;

import org.jspecify.annotations.NullMarked;
