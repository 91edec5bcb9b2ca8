package io.millrace.sitefiles;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.deser.Deserializers;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Types that are a single value in a file, as value and as key of a mapping: numbers, times, enums in lower-case with hyphens, and
 * every type with a static {@code of(String)}.
 */
final class TextTypes extends SimpleModule {

    private static final long serialVersionUID = 1L;

    private static final Map<Class<?>, Function<String, ?>> KNOWN = Map.of(
            Integer.class, number(Integer::valueOf, "a whole number"),
            Long.class, number(Long::valueOf, "a whole number"),
            BigDecimal.class, number(BigDecimal::new, "a number"),
            Boolean.class, TextTypes::truth,
            Duration.class, Durations::parse,
            ZoneId.class, TextTypes::zone,
            Instant.class, TextTypes::instant,
            Path.class, TextTypes::absolute);

    @Override
    public void setupModule(final SetupContext context) {
        context.addDeserializers(new Deserializers.Base() {
            @Override
            public @Nullable JsonDeserializer<?> findBeanDeserializer(
                    final JavaType type, final DeserializationConfig config, final BeanDescription bean) {
                return reader(type.getRawClass()).map(Value::new).orElse(null);
            }

            @Override
            public @Nullable JsonDeserializer<?> findEnumDeserializer(
                    final Class<?> type, final DeserializationConfig config, final BeanDescription bean) {
                return reader(type).map(Value::new).orElse(null);
            }
        });
        context.addKeyDeserializers((type, config, bean) -> reader(type.getRawClass())
                .map(reader -> new Key(type.getRawClass(), reader))
                .orElse(null));
    }

    static Optional<Function<String, ?>> reader(final Class<?> type) {
        final Function<String, ?> known = KNOWN.get(type);
        if (known != null) {
            return Optional.of(known);
        }
        if (type.isEnum()) {
            return Optional.of(text -> constant(type, text));
        }
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> isFactory(method, type))
                .filter(Method::trySetAccessible)
                .findFirst()
                .map(of -> text -> invoke(of, text));
    }

    private static boolean isFactory(final Method method, final Class<?> type) {
        return "of".equals(method.getName())
                && type.isAssignableFrom(method.getReturnType())
                && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class});
    }

    private static Object invoke(final Method of, final String text) {
        try {
            return of.invoke(null, text);
        } catch (final InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(of + " failed", e);
        } catch (final IllegalAccessException e) {
            throw new IllegalStateException(of + " is not public", e);
        }
    }

    private static Object constant(final Class<?> type, final String text) {
        return Arrays.stream(type.getEnumConstants())
                .filter(one -> word(one).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(TextTypes::word)
                                .collect(Collectors.joining(", "))));
    }

    private static String word(final Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Function<String, Object> number(final Function<String, Object> reader, final String what) {
        return text -> {
            try {
                return reader.apply(text);
            } catch (final NumberFormatException e) {
                throw new IllegalArgumentException("'" + text + "' is not " + what, e);
            }
        };
    }

    private static boolean truth(final String text) {
        return switch (text) {
            case "true", "yes" -> true;
            case "false", "no" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is not valid: expected true or false");
        };
    }

    private static ZoneId zone(final String text) {
        try {
            return ZoneId.of(text);
        } catch (final DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a valid time zone: use a name such as Europe/Berlin", e);
        }
    }

    private static Instant instant(final String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (final DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a valid time: use a form such as 2026-03-09T00:00:00+01:00", e);
        }
    }

    /** A relative path would depend on the folder in which the service was started. */
    private static Path absolute(final String text) {
        final Path path = Path.of(text);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("'" + text + "' is a relative path: use an absolute path");
        }
        return path;
    }

    private static final class Value extends JsonDeserializer<Object> {
        private final Function<String, ?> reader;

        private Value(final Function<String, ?> reader) {
            this.reader = reader;
        }

        @Override
        public Object deserialize(final JsonParser parser, final DeserializationContext context) throws IOException {
            if (!parser.currentToken().isScalarValue()) {
                throw MismatchedInputException.from(parser, Object.class, "expected a single value");
            }
            try {
                return reader.apply(parser.getText());
            } catch (final IllegalArgumentException e) {
                throw JsonMappingException.from(parser, e.getMessage());
            }
        }

        /** A key without a value is an error; a key that is not there is not. */
        @Override
        public Object getNullValue(final DeserializationContext context) throws JsonMappingException {
            throw JsonMappingException.from(context.getParser(), "the value is missing: add it or remove the key");
        }

        @Override
        public @Nullable Object getAbsentValue(final DeserializationContext context) {
            return null;
        }
    }

    /** The key of a mapping is not valid. */
    static final class InvalidKeyException extends JsonMappingException {
        private static final long serialVersionUID = 1L;

        private InvalidKeyException(final JsonParser parser, final @Nullable String message) {
            super(parser, message);
        }
    }

    private static final class Key extends KeyDeserializer {
        private final Class<?> type;
        private final Function<String, ?> reader;

        private Key(final Class<?> type, final Function<String, ?> reader) {
            this.type = type;
            this.reader = reader;
        }

        @Override
        public Object deserializeKey(final String key, final DeserializationContext context) throws IOException {
            try {
                return reader.apply(key);
            } catch (final IllegalArgumentException e) {
                final InvalidKeyException invalid = new InvalidKeyException(context.getParser(), e.getMessage());
                invalid.prependPath(type, key);
                throw invalid;
            }
        }
    }
}
