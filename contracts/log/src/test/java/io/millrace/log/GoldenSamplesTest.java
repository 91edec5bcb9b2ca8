package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Event;
import io.millrace.model.protocol.EventType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The samples are the wire format: a change that breaks one breaks readers of another release. */
class GoldenSamplesTest {

    private final List<Path> files = GoldenSamples.files();

    private static byte[] bytes(final Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Event event(final Path file) {
        return EventCodec.parse(bytes(file), GoldenSamples.type(file));
    }

    @TestFactory
    Stream<DynamicTest> every_sample_is_read_and_written_back_byte_for_byte() {
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    final Event event = event(file);
                    assertThat(GoldenText.of(event)).isEqualTo(new String(bytes(file), StandardCharsets.UTF_8));
                    assertThat(EventCodec.parse(EventCodec.json(event), GoldenSamples.type(file)))
                            .isEqualTo(event);
                }));
    }

    @Test
    void every_event_type_has_a_sample() {
        assertThat(files.stream().map(GoldenSamples::type)).contains(EventType.values());
    }

    @Test
    void every_variant_of_every_sealed_part_and_every_component_occurs_in_a_sample() {
        final Set<Class<?>> wanted = new HashSet<>();
        final Set<String> shapes = new TreeSet<>();
        Arrays.stream(EventType.values()).forEach(type -> reachable(type.record(), wanted, shapes));
        final Set<Class<?>> seen = new HashSet<>();
        final Set<String> filled = new TreeSet<>();
        files.forEach(file -> walk(event(file), seen, filled));
        assertThat(seen).containsAll(wanted);
        assertThat(filled).containsAll(shapes);
    }

    /** All records that an event of this type may hold, and their components. */
    private static void reachable(final Class<?> type, final Set<Class<?>> records, final Set<String> components) {
        if (!ModelTypes.isModel(type) || type.isEnum() || ModelTypes.text(type).isPresent()) {
            return;
        }
        if (type.isSealed()) {
            ModelTypes.variants(type).forEach(variant -> reachable(variant, records, components));
            return;
        }
        if (!records.add(type)) {
            return;
        }
        for (final RecordComponent component : type.getRecordComponents()) {
            components.add(type.getName() + "." + component.getName());
            classesIn(component.getGenericType().getTypeName()).forEach(c -> reachable(c, records, components));
        }
    }

    private static List<Class<?>> classesIn(final String typeName) {
        final List<Class<?>> classes = new ArrayList<>();
        for (final String name : typeName.split("[<>, ]+")) {
            if (name.startsWith("io.millrace")) {
                try {
                    classes.add(Class.forName(name));
                } catch (final ClassNotFoundException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return classes;
    }

    private static void walk(final Object value, final Set<Class<?>> seen, final Set<String> filled) {
        switch (value) {
            case Collection<?> all -> all.forEach(element -> walk(element, seen, filled));
            case Map<?, ?> all -> all.values().forEach(element -> walk(element, seen, filled));
            case Record part -> {
                seen.add(part.getClass());
                for (final RecordComponent component : part.getClass().getRecordComponents()) {
                    final Object inner = value(part, component);
                    if (inner != null) {
                        filled.add(part.getClass().getName() + "." + component.getName());
                        walk(inner, seen, filled);
                    }
                }
            }
            default -> {}
        }
    }

    private static Object value(final Record part, final RecordComponent component) {
        try {
            return component.getAccessor().invoke(part);
        } catch (final ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
