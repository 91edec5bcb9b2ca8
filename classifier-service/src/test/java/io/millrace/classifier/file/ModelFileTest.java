package io.millrace.classifier.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Characteristic.Kind;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import io.millrace.classifier.domain.model.Similarity;
import io.millrace.classifier.domain.model.Stage;
import io.millrace.classifier.domain.model.StageRule;
import io.millrace.classifier.domain.model.TextPattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelFileTest {

    private static ClassModel parse(final String text) {
        return ModelFile.parse("model.yaml", text);
    }

    @Test
    void a_model_of_every_kind_is_read() {
        final ClassModel model = parse("""
                characteristics:
                  cores: {type: number, rank: 3, weight: 2.0}
                  minutes: {type: number, min: 0}
                  mode: {type: enum, values: [batch, interactive]}
                  urgent: {type: boolean}
                  modules: {type: set}
                  program: {type: text}
                classes:
                  small:
                    mandatory: {cores: {min: 1, max: 1}}
                    optional: {mode: {oneOf: [batch]}}
                  large:
                    mandatory:
                      cores: {min: 2}
                      minutes: {minExclusive: 60, max: 90, maxExclusive: true}
                      modules: {allOf: [gcc], anyOf: [openmpi, mpich], within: [gcc, openmpi, mpich, hdf5]}
                    optional: {program: {pattern: 'namd.*'}, mode: {}, urgent: true}
                stages: [sigma, psi]
                delta: {rho: 1, sigma: 0.5}
                similar: {characteristics: [program], ratio: 10}
                """);
        assertThat(model.characteristics())
                .containsExactly(
                        new Characteristic("cores", Kind.NUMBER, NumberRange.ANY, 3, 2),
                        new Characteristic("minutes", Kind.NUMBER, NumberRange.atLeast(0), 1, 1),
                        new Characteristic("mode", Kind.ENUM, OneOf.of("batch", "interactive"), 1, 1),
                        new Characteristic("urgent", Kind.BOOLEAN, OneOf.BOTH, 1, 1),
                        new Characteristic("modules", Kind.SET, SetDomain.ANY, 1, 1),
                        new Characteristic("program", Kind.TEXT, TextPattern.ANY, 1, 1));
        assertThat(model.classes())
                .containsExactly(
                        new JobClass(
                                "small", Map.of("cores", NumberRange.exactly(1)), Map.of("mode", OneOf.of("batch"))),
                        new JobClass(
                                "large",
                                Map.of(
                                        "cores", NumberRange.atLeast(2),
                                        "minutes", new NumberRange(60, true, 90, true),
                                        "modules",
                                                new SetDomain(
                                                        Set.of("gcc", "openmpi", "mpich", "hdf5"),
                                                        Set.of("gcc"),
                                                        Set.of("openmpi", "mpich"))),
                                Map.of(
                                        "program", TextPattern.of("namd.*"),
                                        "mode", OneOf.of("batch", "interactive"),
                                        "urgent", OneOf.TRUE)));
        assertThat(model.stages()).containsExactly(new StageRule(Stage.SIGMA, 0.5), new StageRule(Stage.PSI, 0));
        assertThat(model.similarity()).isEqualTo(new Similarity(List.of("program"), 10));
    }

    @Test
    void stages_deltas_ranks_and_weights_have_defaults() {
        final ClassModel model = parse("""
                characteristics: {cores: {type: number}}
                classes: {any: {mandatory: {cores: {}}}}
                """);
        assertThat(model.stages()).isEqualTo(StageRule.DEFAULT);
        assertThat(model.similarity()).isEqualTo(Similarity.DEFAULT);
        assertThat(model.characteristics())
                .containsExactly(new Characteristic("cores", Kind.NUMBER, NumberRange.ANY, 1, 1));
    }

    private static final String CORES =
            "characteristics: {cores: {type: number}, mode: {type: enum, values: [batch]}}\n";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            classes: {}                                                     | : a class model needs at least one class
            classes: {a: {}}                                                | line 2, column 11: class 'a' needs at least one mandatory characteristic
            classes: {a: {mandatory: {cores: 1}, optional: {cores: 2}}}     | line 2, column 11: class 'a' has cores as a mandatory and as an optional characteristic: keep one
            classes: {a: {mandatory: {core: 1}}}                            | line 2, column 27: 'core' is not a characteristic of the model; expected one of cores, mode
            classes: {a: {mandatory: {cores: many}}}                        | line 2, column 27: expected a number, 'unlimited' or {min, max}, got "many"
            classes: {a: {mandatory: {cores: {from: 1}}}}                   | line 2, column 27: 'from' is not a known key; expected min, minExclusive, max, maxExclusive
            classes: {a: {mandatory: {cores: {min: 1, minExclusive: 2}}}}   | line 2, column 27: 'min' and 'minExclusive' exclude each other
            classes: {a: {mandatory: {mode: nightly}}}                      | line 2, column 27: mode: 'nightly' is not inside batch
            classes: {a: {mandatory: {mode: {all: [batch]}}}}               | line 2, column 27: 'all' is not a known key; expected oneOf
            classes: {a: {mandatory: {cores: 1}, rank: 3}}                  | line 2, column 38: 'rank' is not a known key; expected mandatory, optional
            classes: {a: {mandatory: {cores: 1}}}\\nstages: [tau]           | line 3, column 10: 'tau' is not a stage: use rho, sigma, omega, psi
            classes: {a: {mandatory: {cores: 1}}}\\nstages: [rho, rho]      | stage 'rho' is listed twice
            classes: {a: {mandatory: {cores: 1}}}\\ndelta: {rho: -1}        | line 3, column 9: delta of rho must be a number of at least zero, got -1.0
            classes: {a: {mandatory: {cores: 1}}}\\ndelta: {tau: 1}         | line 3, column 9: 'tau' is not a stage
            classes: {a: {mandatory: {cores: 1}}}\\nsimilar: {ratio: 0.5}   | ratio must be a number of at least 1, got 0.5
            classes: {a: {mandatory: {cores: 1}}, a: {mandatory: {cores: 2}}} | line 2, column 39: duplicate key 'a'
            klasses: {}                                                     | line 2, column 1: 'klasses' is not a known key
            classes: {a: {mandatory: {cores: 1                              | not valid YAML
            """)
    void a_bad_class_or_stage_is_rejected_with_line_and_column(final String text, final String message) {
        assertThatThrownBy(() -> parse(CORES + text.replace("\\n", "\n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("model.yaml")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            {rank: 1}                          | line 1, column 19: 'type' is missing
            {type: colour}                     | line 1, column 19: type 'colour' is not known: use one of number, enum, set, boolean, text
            {type: enum}                       | 'values' is missing: list the values of the enumeration
            {type: enum, values: []}           | characteristic 'h' has no values
            {type: number, rank: 0}            | rank must be a whole number of at least 1, got 0
            {type: number, rank: 1.5}          | rank must be a whole number of at least 1, got 1.5
            {type: number, weight: 0}          | weight must be a number greater than zero, got 0
            {type: number, weight: heavy}      | weight must be a number greater than zero, got "heavy"
            {type: number, colour: red}        | 'colour' is not a known key; expected type, rank, weight, from, min, minExclusive, max, maxExclusive
            {type: number, wieght: 2}          | type, rank, weight, from, min, minExclusive, max, maxExclusive; did you mean 'weight'?
            {type: enum, value: [a]}           | 'value' is not a known key; expected type, rank, weight, from, values; did you mean 'values'?
            {type: set, within: [a], anyof: a} | expected type, rank, weight, from, values, within, allOf, anyOf; did you mean 'anyOf'?
            {type: text, from: {feld: script}} | 'feld' is not a known key; expected field, pattern, value; did you mean 'field'?
            {type: text, pattern: '('}         | '(' is not a regular expression: Unclosed group
            {type: boolean, values: [maybe]}   | expected true or false, got maybe
            """)
    void a_bad_characteristic_is_rejected_with_line_and_column(final String text, final String message) {
        assertThatThrownBy(() -> parse("characteristics: {h: " + text + "}\nclasses: {a: {mandatory: {h: {}}}}"))
                .hasMessageStartingWith("model.yaml, line 1")
                .hasMessageContaining(message);
    }

    @Test
    void all_errors_are_reported_in_the_order_of_the_file() {
        assertThatThrownBy(() -> parse("""
                        characteristics:
                          cores: {type: number, rank: 0, weight: -1}
                          minutes: {type: number, color: red}
                          mode: {type: enum, values: [batch]}
                          mode: {type: enum, values: [batch]}
                          gpus: {type: number}
                        classes:
                          a: {mandatory: {cores: x, gpus: many}, rank: 3, moved-run-time: soon}
                          b: {mandatory: {cores: 1}, optional: {modes: batch}}
                          c:
                          d: [1]
                        stages: [tau, rho, sigma]
                        delta: {rho: -1, chi: 1}
                        similar: {ratio: 0}
                        colour: red
                        """)).hasMessage("""
                        model.yaml, line 2, column 3: rank must be a whole number of at least 1, got 0
                        model.yaml, line 2, column 3: weight must be a number greater than zero, got -1
                        model.yaml, line 3, column 3: 'color' is not a known key; expected type, rank, weight, from, min, minExclusive, max, maxExclusive
                        model.yaml, line 5, column 3: duplicate key 'mode': remove one of them
                        model.yaml, line 8, column 19: expected a number, 'unlimited' or {min, max}, got "x"
                        model.yaml, line 8, column 29: expected a number, 'unlimited' or {min, max}, got "many"
                        model.yaml, line 8, column 42: 'rank' is not a known key; expected mandatory, optional, clusters, moved-run-time
                        model.yaml, line 8, column 67: 'soon' is not a valid duration: use a form such as 500ms, 10s, 5m, 2h or 14d
                        model.yaml, line 9, column 41: 'modes' is not a characteristic of the model; expected one of cores, minutes, mode, gpus
                        model.yaml, line 10, column 3: class 'c' needs at least one mandatory characteristic
                        model.yaml, line 11, column 6: expected a mapping with the keys mandatory, optional, clusters, moved-run-time
                        model.yaml, line 12, column 10: 'tau' is not a stage: use rho, sigma, omega, psi
                        model.yaml, line 13, column 9: delta of rho must be a number of at least zero, got -1.0
                        model.yaml, line 13, column 18: 'chi' is not a stage: use rho, sigma, omega, psi
                        model.yaml, line 14, column 1: ratio must be a number of at least 1, got 0.0
                        model.yaml, line 15, column 1: 'colour' is not a known key; expected characteristics, classes, stages, delta, similar""".stripTrailing());
    }

    @Test
    void an_empty_domain_is_no_error() {
        final ClassModel model = parse(CORES + "classes: {a: {mandatory: {cores: {min: 2, max: 1}}}}");
        assertThat(model.classes().getFirst().mandatory().get("cores").isEmpty())
                .isTrue();
    }

    @Test
    void a_missing_file_is_named() {
        assertThatThrownBy(() -> ModelFile.read(Path.of("/nowhere/model.yaml")))
                .hasMessageContaining("model file /nowhere/model.yaml cannot be read");
    }
}
