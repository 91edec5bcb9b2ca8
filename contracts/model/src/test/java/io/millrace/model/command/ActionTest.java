package io.millrace.model.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ActionTest {

    private static final JobKey JOB = JobKey.of("alpha/4712@2026-03-01T07:30:00Z");

    @Test
    void the_name_of_an_action_is_not_that_of_a_job() {
        assertThat(new Action.AlterPending(JOB, "mesh", null).name()).isEqualTo("alter-pending");
        assertThat(new Action.AlterPending(JOB, null, 8).name()).isEqualTo("alter-pending");
        for (final Class<?> type : records(Action.class).toList()) {
            assertThat(Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName))
                    .as("a component 'name' of " + type.getSimpleName() + " would replace the name of the action")
                    .doesNotContain("name");
        }
    }

    private static Stream<Class<?>> records(final Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ActionTest::records)
                : Stream.of(type);
    }
}
