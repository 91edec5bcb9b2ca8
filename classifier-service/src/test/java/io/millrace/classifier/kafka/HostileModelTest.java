package io.millrace.classifier.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.classifier.file.ModelFile;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import io.millrace.model.policy.ClassModelChecked;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.policy.Request.ClassModelRequested;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a request contains, the owner of the class model answers it and goes on. */
class HostileModelTest {

    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
    private static final UserName OPERATOR = UserName.of("olga");
    private static final String VALID = model();

    private final ChangeModel change = new ChangeModel(new ModelInForce(
            ModelFile.parse("class model", VALID),
            new ClassModelSet(VALID, List.of(), OPERATOR, "as installed", NOW, 1),
            true));

    private static String model() {
        try (InputStream file = HostileModelTest.class.getResourceAsStream("/model.yaml")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String repeated(final int times, final String text) {
        return IntStream.range(0, times).mapToObj(i -> text.formatted(i)).collect(Collectors.joining());
    }

    static Stream<String> hostile() {
        return Stream.of(
                "characteristics: &a {}\nclasses:\n" + repeated(60, "  c%d: *a\n"),
                "characteristics: &a { self: *a }\nclasses: {}\n",
                "a: &l0 [1, 2]\n"
                        + IntStream.range(1, 25)
                                .mapToObj(i -> "b%d: &l%d [*l%d, *l%d]\n".formatted(i, i, i - 1, i - 1))
                                .collect(Collectors.joining()),
                "characteristics: " + "[".repeat(20_000) + "]".repeat(20_000),
                "characteristics: " + "{a: ".repeat(5_000) + "}".repeat(5_000),
                "characteristics: \u0001\u0000",
                "characteristics: !!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[]]]\n",
                "characteristics: { x: { type: number, min: " + "9".repeat(100_000) + " } }\nclasses: {}\n",
                "characteristics: { x: { type: text, from: [{ script: '" + "(".repeat(3_000)
                        + "' }] } }\nclasses: {}\n",
                "%YAML 9.9\n---\n[]",
                "--- a\n--- b\n",
                "? [1, 2]\n: {}\n",
                "null",
                "[]",
                "\uFEFF");
    }

    private Event answer(final String model) {
        change.requested(new ClassModelRequested(model, OPERATOR, "try it", 1, NOW, false));
        final List<Event> events = change.decide();
        assertThat(events).hasSize(1);
        return events.getFirst();
    }

    @Attack("a class model whose YAML expands, refers to itself or nests without end stops classifier-service")
    @ParameterizedTest
    @MethodSource("hostile")
    void a_hostile_model_is_refused_with_the_reason(final String model) {
        assertThat(answer(model))
                .isInstanceOfSatisfying(
                        ClassModelChecked.class,
                        refused -> assertThat(refused.error()).isNotBlank());
        assertThat(answer(VALID)).isInstanceOf(ClassModelSet.class);
    }

    @Attack("random damage to a class model stops classifier-service")
    @Test
    void a_damaged_model_is_answered() {
        final Random random = new Random(36);
        for (int round = 0; round < 400; round++) {
            final StringBuilder text = new StringBuilder(VALID);
            for (int edit = 0; edit < 1 + round % 5; edit++) {
                final int at = random.nextInt(text.length());
                final int end = Math.min(text.length(), at + random.nextInt(12));
                text.replace(at, end, damage(random));
            }
            change.requested(new ClassModelRequested(text.toString(), OPERATOR, "try it", 0, NOW, round % 2 == 0));
            assertThat(change.decide()).as("round %d: %s", round, text).hasSize(1);
        }
    }

    private static String damage(final Random random) {
        final List<String> pieces = List.of(
                "", ":", "- ", "{", "}", "[", "]", "&a ", "*a", "null", "~", "1e999", "-0", "'", "\"", "|\n", "\t",
                "\n  ", "!!set ", "<<: ", "(", "*", "?", "\\");
        return pieces.get(random.nextInt(pieces.size()));
    }
}
