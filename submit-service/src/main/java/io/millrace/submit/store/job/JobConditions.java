package io.millrace.submit.store.job;

import io.millrace.model.job.JobStatus;
import io.millrace.submit.domain.job.JobFilter;
import io.quarkus.panache.common.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The conditions of a query for global jobs ({@code g}), from a filter. */
final class JobConditions {

    /** The index is computed, because older databases do not support {@code [last]} in a path. */
    private static final String LAST_CLUSTER = "cast(function('json_value', g.body, concat('$.attempts[',"
            + " cast(cast(function('json_length', g.body, '$.attempts') as Integer) - 1 as String), '].cluster')) as"
            + " String)";

    private final List<String> conditions = new ArrayList<>();
    private final Parameters values = new Parameters();

    static JobConditions of(final JobFilter filter) {
        return of(filter, filter.states());
    }

    /** @param states some of the states of the filter */
    static JobConditions of(final JobFilter filter, final Set<JobStatus> states) {
        final JobConditions where = new JobConditions();
        if (filter.owner() != null) {
            where.add("g.owner = :owner", "owner", filter.owner().value());
        }
        if (!states.isEmpty()) {
            where.add("g.state in :states", "states", states);
        }
        if (!filter.stages().isEmpty()) {
            where.add("g.stage in :stages", "stages", filter.stages());
        }
        if (filter.name() != null) {
            where.add(
                    "collate(" + value("g", "$.submission.spec.name") + " as utf8mb4_bin) = :name",
                    "name",
                    filter.name());
        }
        if (filter.cluster() != null) {
            where.add(LAST_CLUSTER + " = :cluster", "cluster", filter.cluster().value());
        }
        if (filter.project() != null) {
            where.add(
                    value("g", "$.submission.spec.project") + " = :project",
                    "project",
                    filter.project().value());
        }
        if (filter.batch() != null) {
            where.add("g.id like :batch", "batch", filter.batch().prefix() + "%");
        }
        if (filter.period() != null) {
            where.period(filter.period(), filter.isEnded());
        }
        return where;
    }

    private void period(final JobFilter.Period period, final boolean ended) {
        conditions.add("g.submitted < :until and (g.isFinal = false or g.since >= :from)");
        values.and("from", period.from()).and("until", period.until());
        if (ended) {
            conditions.add("g.since < :until");
        }
    }

    JobConditions add(final String condition, final String name, final Object value) {
        conditions.add(condition);
        values.and(name, value);
        return this;
    }

    JobConditions add(final String condition) {
        conditions.add(condition);
        return this;
    }

    /** The condition, with {@code where}; empty if there is none. */
    String where() {
        return conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions);
    }

    Parameters values() {
        return values;
    }

    /** A value in the body, as text. */
    static String value(final String row, final String path) {
        return "cast(function('json_value', " + row + ".body, '" + path + "') as String)";
    }
}
