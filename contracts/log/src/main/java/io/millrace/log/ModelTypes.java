package io.millrace.log;

import io.millrace.model.Event;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The JSON rules of the model. The model carries no annotations; these rules replace them. */
final class ModelTypes {

    private static final String MODEL = "io.millrace.model";

    private ModelTypes() {}

    static boolean isModel(final Class<?> type) {
        return type.getName().startsWith(MODEL);
    }

    /** The factory {@code of(String)} of an identifier type, {@code parse} of a time: what is a plain string on the log. */
    static Optional<MethodHandle> text(final Class<?> type) {
        if (type == Instant.class || type == Duration.class) {
            return factory(type, "parse", CharSequence.class);
        }
        return isModel(type) && !type.isEnum() ? factory(type, "of", String.class) : Optional.empty();
    }

    private static Optional<MethodHandle> factory(final Class<?> type, final String name, final Class<?> from) {
        try {
            final MethodHandle found =
                    MethodHandles.publicLookup().findStatic(type, name, MethodType.methodType(type, from));
            return Optional.of(found.asType(MethodType.methodType(Object.class, String.class)));
        } catch (final NoSuchMethodException | IllegalAccessException e) {
            return Optional.empty();
        }
    }

    /** Sealed types carry a {@code kind}; families of events do not, because the header {@code ce_type} identifies the type. */
    static boolean hasKind(final Class<?> type) {
        return type.isSealed()
                && isModel(type)
                && !Event.class.isAssignableFrom(type)
                && text(type).isEmpty();
    }

    /** The records of a sealed part, also those of sealed parts within it. */
    static Stream<Class<?>> variants(final Class<?> type) {
        return Arrays.stream(type.getPermittedSubclasses())
                .flatMap(part -> part.isSealed() ? variants(part) : Stream.of(part));
    }

    /** The kind of a variant: its simple name in kebab case, {@code NodeFailed -> node-failed}. */
    static String kind(final Class<?> variant) {
        return variant.getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    static Optional<RecordComponent> component(final Class<?> type, final @Nullable String name) {
        if (!type.isRecord() || name == null) {
            return Optional.empty();
        }
        return Arrays.stream(type.getRecordComponents())
                .filter(component -> component.getName().equals(name))
                .findFirst();
    }

    static boolean isOptional(final RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }
}
