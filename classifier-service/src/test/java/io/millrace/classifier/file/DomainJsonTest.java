package io.millrace.classifier.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.classifier.domain.model.Characteristic.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DomainJsonTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NUMBER  | 4
            NUMBER  | 0.5
            NUMBER  | "unlimited"
            NUMBER  | {"min":3,"max":4}
            NUMBER  | {"minExclusive":60}
            NUMBER  | {"maxExclusive":2.5}
            ENUM    | "batch"
            ENUM    | {"oneOf":["batch","interactive"]}
            BOOLEAN | "true"
            TEXT    | {"pattern":"namd.*"}
            SET     | ["gcc","openmpi"]
            SET     | []
            SET     | {"within":["a","b","c"],"allOf":["a"],"anyOf":["b","c"]}
            """)
    void a_domain_is_written_as_it_is_read(final Kind kind, final String text) throws Exception {
        assertThat(DomainJson.write(DomainJson.read(kind, new JsonMapper().readTree(text))))
                .hasToString(text);
    }
}
