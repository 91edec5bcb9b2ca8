/**
 * Proofs under faults: kills and stops parts of a running stack while users submit jobs, and checks that every accepted job ends once
 * with the right result. Measures how long the services need to recover.
 */
@NullMarked
package io.millrace.lab.campaigns.fault;

import org.jspecify.annotations.NullMarked;
