package io.millrace.classifier.domain;

import java.time.Duration;

/** The value of a characteristic of a job. */
public sealed interface Value {

    record Count(long n) implements Value {
        @Override
        public String toString() {
            return Long.toString(n);
        }
    }

    record Length(Duration duration) implements Value {
        @Override
        public String toString() {
            return duration.toString();
        }
    }

    /** No limit. */
    record Unlimited() implements Value {
        @Override
        public String toString() {
            return "unlimited";
        }
    }

    record Name(String name) implements Value {
        @Override
        public String toString() {
            return name;
        }
    }
}
