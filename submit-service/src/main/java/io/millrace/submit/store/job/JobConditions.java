package io.millrace.submit.store.job;

import io.millrace.submit.domain.job.JobFilter;
import io.millrace.submit.domain.job.JobStateNames;
import io.quarkus.panache.common.Parameters;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The conditions of a query for global jobs ({@code g}), from a filter. */
final class JobConditions {

    /** The global job of the local job {@code l}. */
    static final String GLOBAL_ID = "substring(l.attempt, 1, 26)";

    /** The exit code of a run that ended; null: none. */
    static final String EXIT_CODE = value("g", "$.state.outcome.exitCode");

    /** The index is computed, because older databases do not support {@code [last]} in a path. */
    private static final String LAST_CLUSTER = "cast(function('json_value', g.body, concat('$.attempts[',"
            + " cast(cast(function('json_length', g.body, '$.attempts') as Integer) - 1 as String), '].cluster')) as String)";

    /** The user who holds the global job; null: it is not held. */
    private static final String HELD_BY = value("g", "$.hold.by");

    /** The kind of the hold of the global job; null: it is not held. */
    static final String GLOBAL_HOLD = "case when " + HELD_BY + " is null then null when " + HELD_BY
            + " = g.owner then 'USER' else 'OPERATOR' end";

    static final String LOCAL_HOLD = value("l", "$.state.by");

    private final List<String> conditions = new ArrayList<>();
    private final Parameters values = new Parameters();

    static JobConditions of(final JobFilter filter) {
        return of(filter, filter.states());
    }

    /** @param words some of the states of the filter */
    static JobConditions of(final JobFilter filter, final Set<String> words) {
        final JobConditions where = new JobConditions();
        if (filter.owner() != null) {
            where.add("g.owner = :owner", "owner", filter.owner().value());
        }
        if (!words.isEmpty()) {
            where.states(words);
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

    private void states(final Set<String> words) {
        final List<String> any = new ArrayList<>();
        final Set<String> states = new HashSet<>(words);
        states.removeAll(JobStateNames.CONDITIONS);
        if (!states.isEmpty()) {
            any.add("g.state in :states");
            values.and("states", states);
        }
        words.stream()
                .filter(JobStateNames.CONDITIONS::contains)
                .map(JobConditions::condition)
                .forEach(any::add);
        conditions.add("(" + String.join(" or ", any) + ")");
    }

    private static String condition(final String word) {
        return switch (word) {
            case "held" ->
                "(" + HELD_BY + " is not null and not (" + local("l.state in ('running', 'suspended')") + ") or "
                        + local("l.state = 'held' and " + LOCAL_HOLD + " in ('USER', 'OPERATOR')") + ")";
            case "queued" ->
                HELD_BY + " is null and "
                        + local("(l.state = 'queued' or l.state = 'held' and " + LOCAL_HOLD + " = 'ENTRY')");
            case "running" -> local("l.state = 'running'");
            case "suspended" -> local("l.state = 'suspended'");
            case "succeeded" -> "g.state = 'End' and " + EXIT_CODE + " = '0'";
            case "failed" -> "(g.state = 'Aborted' or g.state = 'End' and coalesce(" + EXIT_CODE + ", '-') <> '0')";
            default -> throw new IllegalArgumentException("'" + word + "' is not a condition");
        };
    }

    private static String local(final String condition) {
        return "g.state = 'Submitted' and g.id in (select " + GLOBAL_ID
                + " from LocalJobRow l where l.attempt is not null and " + condition + ")";
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
