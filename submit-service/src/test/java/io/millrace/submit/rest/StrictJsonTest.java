package io.millrace.submit.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.submission.JobRequest;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.io.ByteArrayInputStream;
import java.lang.annotation.Annotation;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictJsonTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        domain.submission.JobRequest | {"memory_mib": 1}                       | 'memoryMib'
        domain.submission.JobRequest | {"core": 1}                             | 'cores'
        domain.submission.JobRequest | {"checkpoint": {"signals": "USR1"}}     | 'signal'
        rest.jobs.JobsResource$StopRequest   | {"reasons": "x"}                        | 'reason'
        rest.quotas.QuotaRequest            | {"lendingLimits": 1}                          | 'lendingLimit'
        rest.quotas.QuotaRequest            | {"periods": [{"form": "x"}]}            | 'from'
        rest.priority.PriorityRulesRequest  | {"wieghts": {}}                         | 'weights'
        rest.priority.PriorityRulesRequest  | {"overflow": [{"minPrio": 1}]}             | Known fields: cluster, from, minPriority, to
        rest.priority.PriorityResource$PreviewRequest | {"maxage": "PT1H"}                      | 'maxAge'
        """)
    void an_unknown_field_is_refused_with_the_nearest_known_one(
            final String type, final String body, final String expected) throws ClassNotFoundException {
        final Class<?> record = Class.forName("io.millrace.submit." + type);

        assertThatExceptionOfType(RequestRefused.class)
                .isThrownBy(() -> read(record, body))
                .withMessageContaining("is not a known field")
                .withMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"cores": "many"}            | 'cores' must be a whole number below 2147483648
        {"cores": 1.5}               | 'cores' must be a whole number below 2147483648
        {"cores": 99999999999}       | 'cores' must be a whole number below 2147483648
        {"memoryMib": []}            | 'memoryMib' must be a whole number
        {"command": "ls"}            | 'command' must be a list
        {"name": {}}                 | 'name' must be a string
        {"strict": "maybe"}          | 'strict' must be true or false
        {"environment": "A=b"}       | 'environment' must be an object
        {"checkpoint": 5}            | 'checkpoint' must be an object
        []                           | the body is not a valid JSON object (line 1, column 1)
        {} {}                        | the body is not a valid JSON object (line 1, column 4)
        {"cores": }                  | the body is not a valid JSON object: Unexpected character
        """)
    void a_value_of_another_type_is_refused_without_names_of_classes(final String body, final String expected) {
        assertThatExceptionOfType(RequestRefused.class)
                .isThrownBy(() -> read(JobRequest.class, body))
                .withMessageStartingWith(expected)
                .satisfies(refused -> assertThat(refused.reason()).doesNotContain("java", "Token", "Deserial", "`"));
    }

    @SuppressWarnings("unchecked")
    static void read(final Class<?> record, final String body) throws java.io.IOException {
        new StrictJson()
                .readFrom(
                        (Class<Object>) record,
                        record,
                        new Annotation[0],
                        MediaType.APPLICATION_JSON_TYPE,
                        new MultivaluedHashMap<>(),
                        new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }
}
