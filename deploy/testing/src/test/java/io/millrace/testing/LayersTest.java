package io.millrace.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayersTest {
    @ParameterizedTest
    @CsvSource({
        "impure, domain depends only on the JDK",
        "persistent, only store knows Hibernate",
        "talkative, only kafka knows Kafka",
        "transactional, only use cases open transactions",
        "transactionalmethod, only use cases open transactions",
        "producing, only use cases open transactions"
    })
    void a_service_that_breaks_a_rule_is_reported_with_the_rule(String service, String sentence) {
        assertThatThrownBy(() -> check("io.millrace.testing.broken." + service))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void a_planner_that_remembers_something_is_reported() {
        final String service = "io.millrace.testing.broken.remembering";
        assertThatThrownBy(() -> Layers.checkPlans(service, new ClassFileImporter().importPackages(service)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("keeps nothing for the next one");
    }

    @Test
    void a_service_without_some_of_the_layers_passes() {
        check("io.millrace.testing.kept");
    }

    private static void check(String service) {
        Layers.check(service, new ClassFileImporter().importPackages(service));
    }
}
