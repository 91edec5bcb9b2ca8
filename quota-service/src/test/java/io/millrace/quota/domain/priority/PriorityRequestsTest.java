package io.millrace.quota.domain.priority;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.UserName;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityRulesSet;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.Request.PriorityRulesRequested;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.priority.PriorityRequests.Answer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** changes of priority rules. */
class PriorityRequestsTest {

    private static final UserName OLGA = UserName.of("olga");
    private static final PriorityRules AGE = age(1000);

    /** */
    @Test
    void of_two_requests_on_one_version_the_second_is_refused_and_names_the_author() {
        final var first = (Answer.Granted) PriorityRequests.answer(asked(AGE, 0), null);
        final var second = (Answer.Refused) PriorityRequests.answer(asked(age(5), 0), first.set());

        assertThat(first.set()).isEqualTo(new PriorityRulesSet(AGE, OLGA, "why", QuotaScenario.NOON, 1));
        assertThat(second.reason())
                .isEqualTo(
                        "the request is based on version 0, but version 1 (by olga) is in force; read the current version and retry");
        assertThat(PriorityRequests.answer(asked(age(5), 1), first.set())).isInstanceOf(Answer.Granted.class);
    }

    /** */
    @Test
    void the_file_applies_until_the_first_request() {
        final PriorityRulesSet fromFile =
                PriorityRequests.fromFile(AGE, null, QuotaScenario.NOON).orElseThrow();

        assertThat(PriorityRequests.fromFile(AGE, fromFile, QuotaScenario.NOON)).isEmpty();
        assertThat(PriorityRequests.fromFile(age(5), fromFile, QuotaScenario.NOON)
                        .orElseThrow()
                        .version())
                .isEqualTo(2);
        assertThat(PriorityRequests.fromFile(
                        age(5), new PriorityRulesSet(AGE, OLGA, "why", QuotaScenario.NOON, 3), QuotaScenario.NOON))
                .isEmpty();
    }

    private static PriorityRulesRequested asked(final PriorityRules rules, final long basedOn) {
        return new PriorityRulesRequested(rules, OLGA, "why", basedOn, QuotaScenario.NOON);
    }

    private static PriorityRules age(final int weight) {
        return new PriorityRules(
                Map.of(PriorityTerm.AGE, weight),
                PriorityRules.NONE.maxAge(),
                PriorityRules.NONE.halfLife(),
                Map.of(),
                Map.of(),
                Map.of(),
                null);
    }
}
