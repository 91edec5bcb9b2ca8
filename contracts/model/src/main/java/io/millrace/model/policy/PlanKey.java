package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.JobRef;
import io.millrace.model.command.Issuer;

/** A record key on {@code millrace.plans}; its text form is the key. */
public sealed interface PlanKey {

    String OFFER = "/offer/";

    /** {@code alpha/12@2026-01-01T00:00:00Z/QUOTA}, or the id of a global job and {@code /MIGRATION}: a {@link Plan}. */
    record OfJob(JobRef job, Issuer issuer) implements PlanKey {

        @Override
        public String toString() {
            return job + "/" + issuer;
        }
    }

    /** {@code alpha/BACKFILL}: a {@link PlanClosed}. */
    record OfCluster(ClusterId cluster, Issuer issuer) implements PlanKey {

        @Override
        public String toString() {
            return cluster + "/" + issuer;
        }
    }

    /** {@code alpha/offer/} and the id of a global job: a {@link PlacementOffered}. */
    record Offer(ClusterId cluster, GlobalJobId job) implements PlanKey {

        @Override
        public String toString() {
            return cluster + OFFER + job;
        }
    }

    /** @throws IllegalArgumentException if it is not a key of this topic */
    static PlanKey of(final String key) {
        final int offer = key.indexOf(OFFER);
        if (offer >= 0) {
            return new Offer(
                    ClusterId.of(key.substring(0, offer)), GlobalJobId.of(key.substring(offer + OFFER.length())));
        }
        final int slash = Math.max(key.lastIndexOf('/'), 0);
        final String about = key.substring(0, slash);
        final Issuer issuer = Issuer.valueOf(key.substring(slash + 1));
        if (about.contains("/")) {
            return new OfJob(JobKey.of(about), issuer);
        }
        return ClusterId.isValid(about)
                ? new OfCluster(ClusterId.of(about), issuer)
                : new OfJob(GlobalJobId.of(about), issuer);
    }
}
