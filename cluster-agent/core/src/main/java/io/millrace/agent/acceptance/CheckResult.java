package io.millrace.agent.acceptance;

import java.time.Duration;

/**
 * The result of one check.
 *
 * @param check what was examined, one sentence
 * @param detail what was seen; for a failure also the remedy
 */
public record CheckResult(String check, Verdict verdict, Duration took, String detail) {

    /** How a check ended. */
    public enum Verdict {
        PASSED("passed"),
        FAILED("failed"),
        /** The installation does not provide it, and Millrace does not rely on it. */
        NOT_SUPPORTED("not supported"),
        /** The test was stopped before. */
        NOT_RUN("not run");

        private final String words;

        Verdict(final String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }
}
