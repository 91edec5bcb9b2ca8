/**
 * Moving directory trees between clusters.
 *
 * <p>Requested on {@code millrace.requests}, decided and published by transfer-service on {@code millrace.transfers}, and executed by the
 * agent of the receiving cluster as the job's owner. Nothing counts as arrived before its checksums agree (promise 7).
 */
@NullMarked
package io.millrace.model.transfer;

import org.jspecify.annotations.NullMarked;
