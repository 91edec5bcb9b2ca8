package io.millrace.model.policy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import java.util.List;
import java.util.Optional;

/**
 * Where jobs of each class may be moved, and how long they run there.
 *
 * @param classes those with a restriction
 * @param measured ratios of run times between clusters, from enough ended jobs
 */
public record PlacementTable(List<ClassPlacement> classes, List<RunTimeRatio> measured) implements Event {

    /** The one key of this table. */
    public static final String KEY = "placement-table";

    /** Without restrictions. */
    public static final PlacementTable EMPTY = new PlacementTable(List.of(), List.of());

    public PlacementTable {
        classes = List.copyOf(classes);
        measured = List.copyOf(measured);
    }

    public Optional<ClassPlacement> of(final String jobClass) {
        return classes.stream().filter(one -> one.jobClass().equals(jobClass)).findFirst();
    }

    /** Empty if too few jobs ran on both clusters. */
    public Optional<RunTimeRatio> measured(final ClusterId from, final ClusterId to) {
        return measured.stream()
                .filter(one -> one.from().equals(from) && one.to().equals(to))
                .findFirst();
    }

    @Override
    public String key() {
        return KEY;
    }
}
