package io.millrace.lab.attacks;

import static io.millrace.lab.attacks.Refused.revealsNothing;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.Attack;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Paths that applications of this kind often leave open, on submit-service and on an agent. */
class ProbesIT {

    private final AttackedSite site = AttackedSite.get();

    @Attack("a probe finds a page without a login: consoles, dumps, files, other methods and encodings of paths")
    @TestFactory
    List<DynamicTest> no_page_is_open_that_should_not_be() {
        final List<DynamicTest> tests = new ArrayList<>();
        for (final Map.Entry<String, URI> part :
                Map.of("submit", site.api(), "agent", site.agent()).entrySet()) {
            for (final String line : Cases.read("probes.txt")) {
                final String[] words = line.split(" ", 2);
                tests.add(DynamicTest.dynamicTest(part.getKey() + " " + line, () -> {
                    final ApiClient.Answer answer =
                            ApiClient.anonymous(part.getValue()).send(words[0], Cases.text(words[1]), "");
                    revealsNothing(answer);
                    assertThat(answer.status()).as(answer.text()).isBetween(400, 499);
                }));
            }
        }
        return tests;
    }

    @Attack("a page that is open without a login, by any method, shows jobs, users or settings")
    @TestFactory
    List<DynamicTest> open_pages_show_no_jobs() {
        Victim.on(site);
        final List<DynamicTest> tests = new ArrayList<>();
        for (final String path :
                List.of("health", "health/live", "health/ready", "health/group/x", "metrics", "openapi")) {
            for (final String method : List.of("GET", "POST", "PUT", "DELETE")) {
                tests.add(DynamicTest.dynamicTest(method + " " + path, () -> {
                    final ApiClient.Answer answer =
                            ApiClient.anonymous(site.api()).send(method, "/q/" + path, "", "Accept", "*/*");
                    assertThat(answer.status()).as(answer.text()).isLessThan(500);
                    assertThat(answer.text())
                            .doesNotContain(Victim.NAME, Victim.SECRET, "password", "jdbc:mariadb", "actuator");
                }));
            }
        }
        return tests;
    }
}
