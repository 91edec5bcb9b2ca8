package io.millrace.model.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a priority is the sum of. Each term is a factor of the job times a weight of the site. */
public enum PriorityTerm {
    /** within quota or not; its weight is fixed, and the others together stay below it. */
    ENTITLEMENT,
    /** How long it has waited. */
    AGE,
    /** Its share of the cluster's cores. */
    SIZE,
    /** How little its owner has used of late, against the quota. */
    USE,
    /** The class it belongs to. */
    CLASS,
    /** The requested quality of service. */
    URGENCY,
    /** The project it is charged to. */
    PROJECT,
    /** What is left of the budget it is charged to. */
    BUDGET;

    /** The terms with a weight that the site chooses. */
    public static List<PriorityTerm> weighted() {
        return Arrays.stream(values()).filter(term -> term != ENTITLEMENT).toList();
    }

    /** In files, options and columns. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
