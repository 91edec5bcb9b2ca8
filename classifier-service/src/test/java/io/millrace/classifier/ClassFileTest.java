package io.millrace.classifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.classifier.domain.JobClass;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassFileTest {

    @Test
    void the_six_classes_of_the_paper_are_shipped() {
        assertThat(ClassFile.shipped().classes())
                .extracting(JobClass::name)
                .containsExactly(
                        "univariant-sequential-small",
                        "univariant-sequential-medium",
                        "univariant-sequential-large",
                        "univariant-parallel-small",
                        "univariant-parallel-medium",
                        "univariant-parallel-large");
        assertThat(ClassFile.shipped().classes().get(5).basic().toString())
                .isEqualTo("{VARIANTS=[1,1], CORES=[2,), WALLTIME=(PT1H,)}");
    }

    @Test
    void names_lists_and_half_open_ranges_are_read() {
        final JobClass wide = ClassFile.parse("classes.yaml", """
                        classes:
                          - name: wide
                            basic:
                              cores: {above: 16, below: 1024}
                              owner: anna
                            additional: {partition: [gpu, fat], walltime: {to: PT2H}}
                        """).classes().getFirst();
        assertThat(wide.basic().toString()).isEqualTo("{CORES=(16,1024), OWNER={anna}}");
        assertThat(wide.additional().toString()).isEqualTo("{WALLTIME=(,PT2H], PARTITION={fat,gpu}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ""                                                             | 'classes' is missing: add it
            classes: 5                                                     | line 1, column 10: expected a list
            classes: []                                                    | line 1, column 1: a class model needs at least one class
            klasses: []                                                    | line 1, column 1: 'klasses' is not a known key; expected classes
            classes: [{basic: {cores: 1}}]                                 | line 1, column 11: 'name' is missing: add it
            classes: [{name: a}]                                           | line 1, column 11: 'basic' is missing
            classes: [{name: a, basic: {}}]                                | needs at least one basic characteristic
            classes: [{name: a, basic: {core: 1}}]                         | 'core' is not a characteristic: use one of variants, cores
            classes:\\n  - name: a\\n    basic:\\n      cores: many        | line 4, column 7: cores: 'many' is not a whole number
            classes: [{name: a, basic: {cores: -1}}]                       | cores: '-1' is not a whole number from 0
            classes: [{name: a, basic: {walltime: 5 parsecs}}]             | walltime: '5 parsecs' is not a valid duration
            classes: [{name: a, basic: {cores: {from: 8, to: 2}}}]         | the range from 8 to 2 is empty
            classes: [{name: a, basic: {cores: {above: 2, to: 2}}}]        | the range from 2 to 2 is empty
            classes: [{name: a, basic: {cores: {from: 2, above: 3}}}]      | 'from' and 'above' exclude each other
            classes: [{name: a, basic: {cores: {min: 2}}}]                 | 'min' is not a bound: use from or above
            classes: [{name: a, basic: {cores: [1, 2]}}]                   | cores takes a value or a range
            classes: [{name: a, basic: {owner: {from: a}}}]                | owner takes a name or a list
            classes: [{name: a, basic: {cores: 1}, additional: {cores: 2}}]| cores as basic and as additional
            classes: [{name: a, basic: {cores: 1, cores: 2}}]              | column 39: duplicate key 'cores'
            classes: [{name: a, basic: {cores: 1}},{name: a, basic: {cores: 2}}] | class 'a' is defined twice
            classes: [{name: a, basic: {cores: 1}, rank: 3}]               | column 40: 'rank' is not a known key; expected name, basic, additional
            classes: [{name: a                                             | line 1, column 19: not valid YAML
            """)
    void a_bad_file_is_refused_with_line_field_and_remedy(final String text, final String message) {
        final String yaml = text == null ? "" : text.replace("\\n", "\n");
        assertThatThrownBy(() -> ClassFile.parse("classes.yaml", yaml))
                .isInstanceOf(ClassFileException.class)
                .hasMessageStartingWith("classes.yaml")
                .hasMessageContaining(message);
    }

    @Test
    void a_missing_file_is_named_with_its_setting() {
        assertThatThrownBy(() -> ClassFile.read(Path.of("/nowhere/classes.yaml")))
                .hasMessageContaining("/nowhere/classes.yaml")
                .hasMessageContaining("millrace.classifier.class-file");
    }
}
