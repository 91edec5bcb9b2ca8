package io.millrace.submit.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.submit.config.LimitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.testing.Attack;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmissionTest {

    private static final RequestRefused NO_TOKEN =
            new RequestRefused(RequestRefused.Kind.UNAUTHENTICATED, "token missing");

    private final Admission admission = new Admission(
            new SmallRyeConfigBuilder().withMapping(LimitSettings.class).build().getConfigMapping(LimitSettings.class),
            new SimpleMeterRegistry());

    @Attack("a client without a token floods the service")
    @Test
    void requests_without_a_token_are_limited_by_address() {
        final var answers = IntStream.range(0, 100_000)
                .mapToObj(i -> admission.unauthenticated("10.0.0.1", NO_TOKEN))
                .toList();

        assertThat(answers.subList(0, 200)).containsOnly(NO_TOKEN);
        assertThat(answers)
                .filteredOn(answer -> answer.kind() == RequestRefused.Kind.TOO_MANY)
                .first()
                .asInstanceOf(type(RequestRefused.class))
                .matches(refused -> refused.retryAfter() != null)
                .extracting(RequestRefused::reason)
                .asString()
                .contains(
                        "10.0.0.1",
                        "20 requests per second without a valid token",
                        "millrace.submit.limits.unauthenticated-per-second");
        assertThat(admission.unauthenticated("10.0.0.2", NO_TOKEN)).isSameAs(NO_TOKEN);
    }
}
