package io.millrace.classifier.domain;

import java.time.Duration;

/** A job's value of a characteristic. */
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

    /** A length without bound. */
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
