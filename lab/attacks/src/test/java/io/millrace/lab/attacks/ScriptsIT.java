package io.millrace.lab.attacks;

import static io.millrace.lab.attacks.Refused.isProblem;
import static io.millrace.lab.attacks.Refused.revealsNothing;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.millrace.testing.Attack;
import io.millrace.testing.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Job scripts that try to confuse their reader. Each is accepted or refused with a reason, and an accepted one can be queried. */
class ScriptsIT {

    private static final int FUZZED = 390;
    private static final int SAMPLED = 40;

    private final AttackedSite site = AttackedSite.get();

    @Attack("a job script breaks the reader of directives, or becomes more than a script of its owner")
    @TestFactory
    List<DynamicTest> hostile_ones() {
        final List<String> scripts = Cases.read("hostile-scripts.txt");
        return scripts.stream()
                .map(line -> DynamicTest.dynamicTest(line, () -> {
                    final ApiClient owner = site.as("writer" + scripts.indexOf(line));
                    final ApiClient.Answer answer = owner.post("/api/v1/jobs", body(Cases.text(line)));
                    if (answer.status() != 202) {
                        isProblem(answer);
                        return;
                    }
                    revealsNothing(answer);
                    final String id = answer.json().path("id").asText();
                    Victim.await(
                            id + " to be shown",
                            () -> owner.get("/api/v1/jobs/" + id).status() == 200);
                    for (final String query : List.of("", "/" + id + "/why", "/counts")) {
                        final ApiClient.Answer shown = owner.get("/api/v1/jobs" + query);
                        assertThat(shown.status())
                                .as(query + ": " + shown.text())
                                .isEqualTo(200);
                    }
                    assertThat(answer.json().path("user").asText()).isEqualTo("writer" + scripts.indexOf(line));
                    assertThat(answer.json().path("source").asText()).isEqualTo("alpha");
                }))
                .toList();
    }

    @Test
    void an_ordinary_one_is_accepted() {
        final ApiClient.Answer accepted =
                site.as("writer").post("/api/v1/jobs/dry-run", body("#!/bin/sh\n#SBATCH --ntasks=1 --time=5\ntrue\n"));
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(200);
    }

    @Attack("directives of Slurm, PBS and LSF with random hostile values break a dry run")
    @TestFactory
    List<DynamicTest> fuzzed_directives() {
        final Random random = Sample.random("fuzzed directives");
        final List<String> options = Cases.read("directives.txt");
        final List<String> values = Cases.read("hostile-values.txt");
        final ApiClient user = site.as("fuzzer");
        final List<DynamicTest> tests = new ArrayList<>();
        for (int i = 0; i < Sample.rounds(SAMPLED, FUZZED); i++) {
            final StringBuilder directives = new StringBuilder();
            final int lines = 1 + random.nextInt(3);
            for (int line = 0; line < lines; line++) {
                directives
                        .append(options.get(random.nextInt(options.size()))
                                .replace("@", values.get(random.nextInt(values.size()))))
                        .append('\n');
            }
            tests.add(DynamicTest.dynamicTest(directives.toString().strip(), () -> {
                final ApiClient.Answer answer = user.post(
                        "/api/v1/jobs/dry-run", body("#!/bin/sh\n" + Cases.text(directives.toString()) + "true\n"));
                if (answer.status() == 200) {
                    revealsNothing(answer);
                } else {
                    isProblem(answer);
                }
            }));
        }
        return tests;
    }

    private static String body(final String script) {
        return "{\"script\": \"" + new String(JsonStringEncoder.getInstance().quoteAsString(script))
                + "\", \"source\": \"alpha\", \"directory\": \"/tmp\"}";
    }
}
