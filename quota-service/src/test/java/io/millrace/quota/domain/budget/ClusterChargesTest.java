package io.millrace.quota.domain.budget;

import static io.millrace.quota.domain.budget.Site.ALPHA;
import static io.millrace.quota.domain.budget.Site.NOW;
import static io.millrace.quota.domain.budget.Site.end;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.policy.Charges;
import io.millrace.model.policy.ProcessorTime;
import io.millrace.model.view.Published.Difference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClusterChargesTest {

    private final BudgetRules rules =
            new Site().byDefault(Site.hours(Calendar.MONTH, 100)).rules();
    private final ClusterCharges charges = new ClusterCharges(ALPHA, rules);
    private final Sums sums = new Sums(rules);
    private final Period november = Period.of(Calendar.MONTH, NOW, Site.BERLIN);

    private ProcessorTime spent(final Sums where) {
        return where.spent(Subject.user(UserName.of("anna")), november);
    }

    @Test
    void the_same_run_twice_is_booked_once() {
        charges.ended(end("e1", "anna", 2, 1, NOW));
        charges.ended(end("e1", "anna", 2, 1, NOW));
        assertThat(charges.book()).hasSize(1);
        charges.publish(sums, NOW);
        charges.ended(end("e1", "anna", 2, 1, NOW));
        assertThat(charges.book()).isEmpty();
        assertThat(charges.publish(sums, NOW).put()).isEmpty();
        assertThat(spent(sums)).isEqualTo(new ProcessorTime(7200, 0));
    }

    @Test
    void a_successor_goes_on_from_what_was_published_wherever_its_predecessor_ended() {
        final Random random = new Random(11);
        final List<RunEnded> ends = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ends.add(end("e" + i, "anna", 1 + random.nextInt(8), 1, NOW.minus(Duration.ofHours(random.nextInt(2000)))));
        }
        ends.forEach(charges::ended);
        charges.book();
        charges.publish(sums, NOW);
        for (int died = 0; died <= ends.size(); died += 50) {
            final Sums others = new Sums(rules);
            final ClusterCharges first = new ClusterCharges(ALPHA, rules);
            ends.subList(0, died).forEach(first::ended);
            first.book();
            final Difference<Charges> said = first.publish(new Sums(rules), NOW);
            final ClusterCharges successor = new ClusterCharges(ALPHA, rules);
            said.put().forEach(charged -> {
                successor.replayed(charged);
                others.put(charged);
            });
            ends.subList(died, ends.size()).forEach(successor::ended);
            successor.book();
            successor.publish(others, NOW);
            assertThat(spent(others)).isEqualTo(spent(sums));
            assertThat(successor.publish(others, NOW).put()).isEmpty();
        }
    }

    @Test
    void periods_behind_the_last_are_forgotten_and_so_is_who_has_none_left() {
        charges.ended(end("e1", "anna", 2, 1, NOW));
        charges.book();
        final Charges said = charges.publish(sums, NOW).put().getFirst();
        assertThat(said.spent()).extracting(Charges.Spent::period).containsExactly("2026", "2026-11", "2026-W47");
        final Instant january = Instant.parse("2027-01-20T12:00:00Z");
        assertThat(charges.publish(sums, january).put().getFirst().spent())
                .extracting(Charges.Spent::period)
                .containsExactly("2026");
        assertThat(charges.publish(sums, Instant.parse("2028-01-20T12:00:00Z")).removed())
                .containsExactly("alpha/charges/anna/physics");
        assertThat(spent(sums)).isEqualTo(ProcessorTime.NONE);
    }
}
