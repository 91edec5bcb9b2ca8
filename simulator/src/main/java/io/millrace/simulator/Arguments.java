package io.millrace.simulator;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Options of a command line, each with one value; every no names the option and the remedy. */
final class Arguments {

    private final Map<String, String> given = new HashMap<>();

    /** @throws IllegalArgumentException if an option is not known, given twice, or lacks its value */
    Arguments(final Set<String> known, final String... args) {
        for (int i = 0; i < args.length; i += 2) {
            if (!known.contains(args[i])) {
                throw new IllegalArgumentException("unknown option '" + args[i] + "'");
            }
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " needs a value");
            }
            if (given.put(args[i], args[i + 1]) != null) {
                throw new IllegalArgumentException(args[i] + " is given twice");
            }
        }
    }

    boolean has(final String option) {
        return given.containsKey(option);
    }

    <T> Optional<T> read(final String option, final Function<String, T> as) {
        return Optional.ofNullable(given.get(option)).map(as);
    }

    Optional<Path> path(final String option) {
        return read(option, Path::of);
    }

    Optional<Long> whole(final String option, final long least) {
        return read(option, text -> {
            if (!text.matches("\\d{1,15}") || Long.parseLong(text) < least) {
                throw new IllegalArgumentException(
                        option + " must be a whole number from " + least + ", got '" + text + "'");
            }
            return Long.valueOf(text);
        });
    }

    Optional<Integer> count(final String option) {
        return whole(option, 1).map(number -> {
            if (number > 999_999_999) {
                throw new IllegalArgumentException(
                        option + " must be a whole number from 1 to 999999999, got '" + number + "'");
            }
            return number.intValue();
        });
    }

    /** A number within bounds. */
    Optional<Double> number(final String option, final double least, final double most) {
        return read(option, text -> {
            if (!text.matches("\\d+(\\.\\d*)?|\\.\\d+")
                    || Double.parseDouble(text) < least
                    || Double.parseDouble(text) > most) {
                throw new IllegalArgumentException(
                        option + " must be a number from " + least + " to " + most + ", got '" + text + "'");
            }
            return Double.valueOf(text);
        });
    }

    /** One of the names of an enum, in small letters with dashes. */
    <E extends Enum<E>> Optional<E> oneOf(final String option, final Class<E> names) {
        return read(option, text -> {
            for (final E name : names.getEnumConstants()) {
                if (written(name).equals(text.toLowerCase(Locale.ROOT))) {
                    return name;
                }
            }
            final String all = String.join(
                    ", ",
                    Arrays.stream(names.getEnumConstants())
                            .map(Arguments::written)
                            .toList());
            throw new IllegalArgumentException(option + " must be one of " + all + "; got '" + text + "'");
        });
    }

    private static String written(final Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean flag(final String option) {
        return read(option, text -> switch (text) {
                    case "yes" -> true;
                    case "no" -> false;
                    default -> throw new IllegalArgumentException(option + " must be yes or no, got '" + text + "'");
                })
                .orElse(false);
    }
}
