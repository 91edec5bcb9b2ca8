package io.millrace.quota.files.libconfig;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value of a configuration file with its position. */
public sealed interface Value {

    /**
     * A position; line and column count from 1.
     *
     * @param file the included file; null: the main file
     */
    record Position(@Nullable String file, int line, int column) {
        @Override
        public String toString() {
            return (file == null ? "" : "in " + file + ", ") + "line " + line + ", column " + column;
        }
    }

    Position at();

    /** The kind of value, for messages. */
    String kind();

    /** {@code { name = value; … }}: names are unique. */
    record Group(Map<String, Value> settings, Position at) implements Value {
        @Override
        public String kind() {
            return "a group";
        }
    }

    /** {@code ( value, … )} or {@code [ value, … ]}. */
    record Items(List<Value> values, Position at) implements Value {
        public Items {
            values = List.copyOf(values);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    record Text(String text, Position at) implements Value {
        @Override
        public String kind() {
            return "a string";
        }
    }

    /** An integer or a floating-point number. */
    record Number(double number, Position at) implements Value {
        @Override
        public String kind() {
            return "a number";
        }
    }

    record Bool(boolean bool, Position at) implements Value {
        @Override
        public String kind() {
            return "a boolean";
        }
    }
}
