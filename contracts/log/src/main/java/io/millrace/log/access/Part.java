package io.millrace.log.access;

import io.millrace.model.ClusterId;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A part of a site that has an account of its own at the broker. */
public sealed interface Part {

    /** The name in commands and on the guide's page, e.g. {@code quota} or {@code agent-alpha}. */
    String id();

    /** The name of its account at the broker, e.g. {@code millrace-quota}. */
    default String account() {
        return "millrace-" + id();
    }

    /** A part that reads events. What it cannot process goes to a topic of its own, so no part writes the dead letters of another. */
    sealed interface LogReader extends Part {

        /** The Kafka topic of its dead letters, e.g. {@code millrace.dlq.quota} or {@code millrace.dlq.agent.alpha}. */
        String deadLetters();
    }

    /** The services. */
    enum Service implements LogReader {
        QUOTA,
        CLASSIFIER,
        BACKFILL,
        MIGRATION,
        TRANSFER,
        SUBMIT;

        @Override
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        @Override
        public String deadLetters() {
            return DEAD_LETTERS + id();
        }
    }

    /** The agent of a cluster. */
    record Agent(ClusterId cluster) implements LogReader {
        @Override
        public String id() {
            return AGENT + cluster;
        }

        @Override
        public String deadLetters() {
            return DEAD_LETTERS + "agent." + cluster;
        }
    }

    /**
     * A registered tool. It writes requests to one topic, and reads the answers on another one.
     *
     * @param name as a cluster name
     */
    record Tool(String name) implements Part {

        /** What the names of the topics of requests begin with. */
        public static final String SUBMISSIONS = "millrace.tool-submissions.";

        /** What the names of the topics of answers begin with. */
        public static final String ANSWERS = "millrace.tool-answers.";

        public Tool {
            ClusterId.of(name);
        }

        @Override
        public String id() {
            return TOOL + name;
        }

        public String submissions() {
            return SUBMISSIONS + name;
        }

        public String answers() {
            return ANSWERS + name;
        }
    }

    /** A person who looks for a fault: reads everything, writes nothing. */
    record Operator() implements Part {
        @Override
        public String id() {
            return OPERATOR;
        }
    }

    /** What the names of all topics of dead letters begin with. */
    String DEAD_LETTERS = "millrace.dlq.";

    /** What the ids of agents begin with. */
    String AGENT = "agent-";

    /** What the ids of tools begin with. */
    String TOOL = "tool-";

    /** The id of {@link Operator}. */
    String OPERATOR = "operator";

    /**
     * The part of this id.
     *
     * @throws IllegalArgumentException if there is none, with the valid ids
     */
    static Part named(final String id) {
        if (id.startsWith(AGENT)) {
            return new Agent(ClusterId.of(id.substring(AGENT.length())));
        }
        if (id.startsWith(TOOL)) {
            return new Tool(id.substring(TOOL.length()));
        }
        if (id.equals(OPERATOR)) {
            return new Operator();
        }
        return Arrays.stream(Service.values())
                .filter(service -> service.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + id + "' is not a part; the parts are "
                        + Arrays.stream(Service.values()).map(Service::id).collect(Collectors.joining(", "))
                        + ", agent-CLUSTER, tool-NAME and operator"));
    }
}
