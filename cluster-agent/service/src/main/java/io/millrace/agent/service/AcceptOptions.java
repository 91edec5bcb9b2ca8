package io.millrace.agent.service;

import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Options of {@code millrace-agent accept}. */
record AcceptOptions(String cluster, PartitionName queue, UserName user, boolean json) {

    static final String USAGE = """
        Usage: millrace-agent accept --cluster NAME --queue QUEUE --user USER [--json]

        Runs small jobs of USER in QUEUE and compares what the workload manager does with what Millrace
        relies on. Uses the settings of the agent; stop the agent of the cluster during the test.

          --cluster NAME  name of the cluster, as in millrace.agent.cluster
          --queue QUEUE   an empty queue (partition) with at least one idle core
          --user USER     an ordinary user who may run jobs in it
          --json          print the report as JSON

        Exit code: 0 all checks passed or are not supported, 1 a check failed, 2 the test was refused,
        130 the test was stopped.
        """;

    private static final Set<String> WITH_VALUE = Set.of("--cluster", "--queue", "--user");
    private static final String JSON = "--json";

    /** @throws IllegalArgumentException if an option is unknown, missing or not valid */
    static AcceptOptions of(final List<String> arguments) {
        for (int at = 0; at < arguments.size(); at++) {
            final String argument = arguments.get(at);
            if (WITH_VALUE.contains(argument)) {
                at++;
            } else if (!argument.equals(JSON)) {
                throw new IllegalArgumentException("option '" + argument + "' is unknown");
            }
        }
        return new AcceptOptions(
                required("--cluster", arguments),
                PartitionName.of(required("--queue", arguments)),
                UserName.of(required("--user", arguments)),
                arguments.contains(JSON));
    }

    private static String required(final String option, final List<String> arguments) {
        return value(option, arguments.toArray(String[]::new))
                .orElseThrow(() -> new IllegalArgumentException("option " + option + " is required"));
    }

    /** The argument after this option; empty if there is none. */
    static Optional<String> value(final String option, final String... arguments) {
        final int at = Arrays.asList(arguments).indexOf(option);
        return at < 0 || at + 1 >= arguments.length ? Optional.empty() : Optional.of(arguments[at + 1]);
    }
}
