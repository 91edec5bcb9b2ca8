package io.millrace.classifier.domain.plan;

/** A property of a valid model that is probably a mistake. */
public record ModelWarning(Kind kind, String jobClass, String message) {

    /** What the warning is about. */
    public enum Kind {
        /** No value satisfies a domain of the class. */
        EMPTY_DOMAIN,
        /** A job can be a candidate of this class and of others. */
        OVERLAP,
        /** No job was found for which this class remains after the stages. */
        UNREACHABLE
    }

    @Override
    public String toString() {
        return "class '" + jobClass + "' " + message;
    }
}
