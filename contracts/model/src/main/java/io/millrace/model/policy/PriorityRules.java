package io.millrace.model.policy;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a site weighs the terms of a priority.
 *
 * @param weights of the terms a site chooses, points at a factor of 100 %; a term that is not named weighs nothing
 * @param maxAge a job that has waited so long has an age of 100 %
 * @param halfLife after this time, past use counts half
 * @param classFactorsPercent the factor of each class; of several the highest counts, one that is not named counts 0
 * @param urgencyFactorsPercent the factor of each quality of service
 * @param projectFactorsPercent the factor of each project
 * @param overflow which priority opens which other partitions; null: none
 */
public record PriorityRules(
        Map<PriorityTerm, Integer> weights,
        Duration maxAge,
        Duration halfLife,
        Map<String, Integer> classFactorsPercent,
        Map<String, Integer> urgencyFactorsPercent,
        Map<ProjectName, Integer> projectFactorsPercent,
        @Nullable List<PartitionOverflow> overflow) {

    /** guaranteed work goes before borrowed work, whatever the weights. */
    public static final int ENTITLEMENT_WEIGHT = 1_000_000;

    private static final Duration LONGEST = Duration.ofDays(3660);
    private static final int MOST_FACTORS = 1000;
    private static final int MAX_OVERFLOW_RULES = 100;

    /** No weights: order by entitlement level, then by submission. */
    public static final PriorityRules NONE =
            new PriorityRules(Map.of(), Duration.ofDays(7), Duration.ofDays(7), Map.of(), Map.of(), Map.of(), null);

    /** @throws IllegalArgumentException naming what is wrong and what would do */
    public PriorityRules {
        weights = Map.copyOf(weights);
        classFactorsPercent = factors("class", classFactorsPercent);
        urgencyFactorsPercent = factors("urgency", urgencyFactorsPercent);
        projectFactorsPercent = factors("project", projectFactorsPercent);
        overflow = overflow == null ? null : List.copyOf(overflow);
        if (overflow != null && overflow.size() > MAX_OVERFLOW_RULES) {
            throw new IllegalArgumentException("at most " + MAX_OVERFLOW_RULES
                    + " rules for other partitions are allowed, got " + overflow.size());
        }
        requireBelowRight(weights);
        requirePositive("max-age", maxAge);
        requirePositive("half-life", halfLife);
    }

    /** The same rules, opening these partitions. */
    public PriorityRules withOverflow(final List<PartitionOverflow> openings) {
        return new PriorityRules(
                weights,
                maxAge,
                halfLife,
                classFactorsPercent,
                urgencyFactorsPercent,
                projectFactorsPercent,
                openings.isEmpty() ? null : openings);
    }

    /** Which priority opens which other partitions. */
    public List<PartitionOverflow> overflowRules() {
        return overflow == null ? List.of() : overflow;
    }

    /**
     * other partitions than its own that this priority opens to a job, first choice first; whether its cluster has them is
     * not asked.
     */
    public List<PartitionName> opened(final JobKey job, final PartitionName waitsIn, final long priority) {
        return overflowRules().stream()
                .filter(opening -> opening.isFor(job, waitsIn, priority))
                .flatMap(opening -> opening.to().stream())
                .filter(partition -> !partition.equals(waitsIn))
                .distinct()
                .toList();
    }

    public int weight(final PriorityTerm term) {
        return term == PriorityTerm.ENTITLEMENT ? ENTITLEMENT_WEIGHT : weights.getOrDefault(term, 0);
    }

    /** the factor of a job that has waited so long. */
    public int age_percent(final Duration waited) {
        return Math.clamp(100 * waited.toSeconds() / maxAge.toSeconds(), 0, 100);
    }

    /** of several classes the highest counts. */
    public int class_percent(final List<String> classes) {
        return classes.stream()
                .mapToInt(name -> classFactorsPercent.getOrDefault(name, 0))
                .max()
                .orElse(0);
    }

    /** of a job of this quality of service. */
    public int urgency_percent(final @Nullable String qos) {
        return qos == null ? 0 : urgencyFactorsPercent.getOrDefault(qos, 0);
    }

    /** of a job that is charged to it. */
    public int project_percent(final @Nullable ProjectName project) {
        return project == null ? 0 : projectFactorsPercent.getOrDefault(project, 0);
    }

    /** The same rules with these weights; terms that are not named weigh as they do. */
    public PriorityRules weighing(final Map<PriorityTerm, Integer> others) {
        final Map<PriorityTerm, Integer> all = new EnumMap<>(PriorityTerm.class);
        all.putAll(weights);
        all.putAll(others);
        return new PriorityRules(
                all, maxAge, halfLife, classFactorsPercent, urgencyFactorsPercent, projectFactorsPercent, overflow);
    }

    private static void requireBelowRight(final Map<PriorityTerm, Integer> weights) {
        if (weights.containsKey(PriorityTerm.ENTITLEMENT)) {
            throw new IllegalArgumentException(
                    "the weight of 'right' is fixed: guaranteed work goes before borrowed work; leave it out");
        }
        long sum = 0;
        for (final int weight : weights.values()) {
            sum += Math.abs((long) weight);
        }
        if (sum >= ENTITLEMENT_WEIGHT) {
            throw new IllegalArgumentException("the weights together must stay below " + ENTITLEMENT_WEIGHT
                    + ", so that guaranteed work goes first; they are " + sum);
        }
    }

    private static void requirePositive(final String name, final Duration span) {
        if (span.compareTo(Duration.ofSeconds(1)) < 0 || span.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + " must be between a second and " + LONGEST.toDays() + " days, got " + span);
        }
    }

    private static <K> Map<K, Integer> factors(final String of, final Map<K, Integer> factors) {
        if (factors.size() > MOST_FACTORS) {
            throw new IllegalArgumentException(
                    "at most " + MOST_FACTORS + " factors of a " + of + " are allowed, got " + factors.size());
        }
        factors.forEach((name, percent) -> {
            if (percent < 0 || percent > 100) {
                throw new IllegalArgumentException(
                        "the factor of " + of + " '" + name + "' must be between 0 and 100, got " + percent);
            }
        });
        return Map.copyOf(factors);
    }
}
