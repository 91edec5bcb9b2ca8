package io.millrace.lab.campaigns.migration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One case of the matrix: a part that is killed while a job is in a state.
 *
 * @param part as the launcher names it
 */
record KillCase(State state, String part) {

    /** The states in which a part works on a job, in the order in which a job passes them. The names are those of the REST API. */
    enum State {
        UPLOADING("Uploading"),
        MAKING("Making"),
        SUBMITTED("Submitted"),
        DOWNLOADING("Downloading");

        private final String text;

        State(final String text) {
            this.text = text;
        }

        /** Whether a job with this state in the REST API has passed this state. */
        boolean isBefore(final String reported) {
            return Arrays.stream(values()).anyMatch(state -> state.compareTo(this) > 0 && state.text.equals(reported))
                    || List.of("End", "Aborted", "Stopped").contains(reported);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** The whole matrix: both agents, migration-service and transfer-service in each state. */
    static List<KillCase> all(final TwoHosts hosts) {
        final List<KillCase> cases = new ArrayList<>();
        for (final State state : State.values()) {
            for (final String part : List.of(
                    "agent-" + hosts.home().name(), "agent-" + hosts.away().name(), "migration", "transfer")) {
                cases.add(new KillCase(state, part));
            }
        }
        return cases;
    }

    @Override
    public String toString() {
        return part + " killed in " + state;
    }
}
