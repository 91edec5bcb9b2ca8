package io.millrace.submit.domain;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import org.junit.jupiter.api.Test;

class CallerTest {

    @Test
    void root_cannot_submit_jobs_even_as_operator() {
        assertThatThrownBy(() -> new Caller(UserName.of("root"), true, ClusterId.of("alpha")).requireOrdinaryUser())
                .isInstanceOf(RequestRefused.class)
                .hasMessageContaining("submit as an ordinary user");
        assertThatCode(() -> new Caller(UserName.of("anna"), false, ClusterId.of("alpha")).requireOrdinaryUser())
                .doesNotThrowAnyException();
    }
}
