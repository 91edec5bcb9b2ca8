/** Proofs of single promises on real Slurm: checkpoint backfill and quota, each as a scenario that two users live through. */
@NullMarked
package io.millrace.lab.campaigns.proof;

import org.jspecify.annotations.NullMarked;
