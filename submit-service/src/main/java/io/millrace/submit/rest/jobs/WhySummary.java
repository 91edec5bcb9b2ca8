package io.millrace.submit.rest.jobs;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.Attempt;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Plan;
import io.millrace.submit.domain.job.JobEvidence;
import io.millrace.submit.domain.job.StoredJob;
import io.millrace.submit.domain.usage.UsedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Summarizes the evidence about a job in a few sentences. */
final class WhySummary {

    private WhySummary() {}

    static String of(final JobEvidence evidence) {
        final List<String> sentences = new ArrayList<>();
        if (evidence.global() != null) {
            global(evidence.global(), evidence.local(), sentences);
            evidence.copies().forEach(copy -> sentences.add(StateText.of(copy)));
        }
        if (evidence.local() != null) {
            sentences.add("On " + evidence.local().cluster() + " it "
                    + predicate(StateText.of(evidence.local().state())));
            local(evidence.local(), evidence, sentences);
        } else if (evidence.global() == null) {
            ended(evidence.runs(), sentences);
        } else if (!evidence.global().job().state().isFinal()) {
            evidence.plans().forEach(plan -> sentences.add(plan(plan)));
        } else if (!evidence.runs().isEmpty()) {
            used(evidence.runs().getLast(), sentences);
        }
        return String.join(". ", sentences.stream().map(WhySummary::trimmed).toList()) + ".";
    }

    private static void global(
            final StoredJob stored, final @Nullable JobObserved local, final List<String> sentences) {
        final GlobalJob job = stored.job();
        sentences.add(stored.state().word() + ": " + StateText.of(job, local));
        final Attempt attempt = job.attempt();
        if (attempt != null) {
            sentences.add("Attempt " + attempt.number() + " was placed on " + attempt.cluster() + " because "
                    + attempt.reason());
        }
    }

    private static void local(final JobObserved job, final JobEvidence evidence, final List<String> sentences) {
        for (final Entitlement entitlement : evidence.entitlements()) {
            sentences.add("Its entitlement is " + entitlement.level().name().toLowerCase(Locale.ROOT) + ": "
                    + entitlement.reason());
        }
        evidence.entitlements().stream()
                .filter(entitlement -> entitlement.job().equals(job.job()))
                .forEach(entitlement ->
                        sentences.addAll(PartitionAccessText.of(evidence.partitionOpenings(), entitlement.priority())));
        if (job.state().isWaiting() || job.state() instanceof JobState.Suspended) {
            evidence.plans().forEach(plan -> sentences.add(plan(plan)));
        }
    }

    private static String plan(final Plan plan) {
        final String start = plan.predictedStart() == null ? "" : "; predicted start " + plan.predictedStart();
        return plan.issuer().name().toLowerCase(Locale.ROOT) + ": " + trimmed(plan.reason()) + start;
    }

    private static void ended(final List<RunEnded> runs, final List<String> sentences) {
        final RunEnded last = runs.getLast();
        sentences.add("It ended at " + last.endedAt() + ": "
                + OutcomeView.of(last.outcome()).detail());
        used(last, sentences);
    }

    private static void used(final RunEnded run, final List<String> sentences) {
        UsedText.of(run).ifPresent(used -> sentences.add("It used " + used));
    }

    private static String predicate(final String state) {
        return state.startsWith("ended") || state.startsWith("left") ? state : "is " + state;
    }

    private static String trimmed(final String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }
}
