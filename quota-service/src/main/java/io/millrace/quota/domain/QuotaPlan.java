package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.PlacementOffered;
import io.millrace.model.policy.Usage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was decided for one cluster on one revision.
 *
 * @param entitlements of every job there
 * @param usage of every user with a job there
 * @param reclaims to issue now, each independent of the others
 * @param resumptions of jobs that were suspended for others and can go on
 * @param vetoes why a job that is within its owner's quota waits although it does not fit, by job
 * @param offers what room for global jobs that are not placed yet would cost here
 * @param wakeAt when a pause ends; empty if only news can change the plan
 */
public record QuotaPlan(
        Map<JobKey, Entitlement> entitlements,
        Map<UserName, Usage> usage,
        List<Command> reclaims,
        List<Command> resumptions,
        Map<JobKey, Veto> vetoes,
        List<PlacementOffered> offers,
        Optional<Instant> wakeAt) {}
