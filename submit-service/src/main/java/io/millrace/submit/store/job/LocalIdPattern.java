package io.millrace.submit.store.job;

import io.millrace.model.JobId;

/**
 * Patterns of SQL for the keys of all jobs with an id, as users write it: without the submit time and, for PBS, without the server
 * ({@code pbs/4} for {@code pbs/4.server@2026-03-01T12:00:01Z}).
 */
record LocalIdPattern(String whole, String withServer) {

    /** The condition on a column, for two parameters. */
    static String on(final String column) {
        return "(" + column + " like ?1 escape '!' or " + column + " like ?2 escape '!')";
    }

    static LocalIdPattern of(final JobId id) {
        final String literal = id.toString().replaceAll("[!%_]", "!$0");
        return new LocalIdPattern(literal + "@%", literal + ".%");
    }
}
