package io.millrace.lab.attacks;

import static io.millrace.lab.attacks.Refused.isProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.Attack;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Server-sent events of a user who tries to see the jobs of others. */
@TestInstance(Lifecycle.PER_CLASS)
class StreamsIT {

    private static final String EVENTS = "/api/v1/events";

    private final AttackedSite site = AttackedSite.get();
    private Operations.Target victims;

    @BeforeAll
    void the_victim_has_jobs() {
        victims = Victim.on(site).jobs();
    }

    @Attack("an event stream shows the jobs of others: by its start, its filters, or the event to continue after")
    @TestFactory
    List<DynamicTest> of_own_jobs_only() {
        return List.of(
                        "",
                        "Last-Event-ID: 0",
                        "Last-Event-ID: 1",
                        "Last-Event-ID: -1",
                        "Last-Event-ID: 9223372036854775807",
                        "Last-Event-ID: 99999999999999999999",
                        "Last-Event-ID: *",
                        "Last-Event-ID: " + victims.job(),
                        "X-Forwarded-User: victim",
                        "X-Remote-User: victim",
                        "Cookie: user=victim",
                        "Millrace-User: victim",
                        "Accept: application/json",
                        "?user=victim",
                        "?job=" + victims.job(),
                        "?all=true",
                        "?operator=true",
                        "?access_token=x")
                .stream()
                .map(how -> DynamicTest.dynamicTest(how.isEmpty() ? "no filter" : how, () -> follow(how)))
                .toList();
    }

    /** Reads the stream of a user up to the event of an own job that was submitted after one of the victim. */
    private void follow(final String how) throws IOException {
        final ApiClient stranger = site.as("stranger" + Math.abs(how.hashCode()));
        final String query = how.startsWith("?") ? how : "";
        final String[] header = how.contains(": ") ? how.split(": ", 2) : new String[0];
        try (Socket stream = stranger.open("GET", EVENTS + query, new byte[0], header)) {
            final BufferedReader lines =
                    new BufferedReader(new InputStreamReader(stream.getInputStream(), StandardCharsets.UTF_8));
            final String status = lines.readLine();
            if (!status.contains(" 200 ")) {
                isProblem(stranger.get(EVENTS + query, header));
                return;
            }
            Victim.created(site.as(Victim.NAME), "/api/v1/jobs", Victim.body("/home/" + Victim.SECRET));
            final String own = Victim.created(
                    stranger, "/api/v1/jobs", Victim.body("/home/own").replace(Victim.SECRET, "own"));
            final StringBuilder seen = new StringBuilder();
            for (String line = lines.readLine(); !seen.toString().contains(own); line = lines.readLine()) {
                assertThat(line).as("the stream ended: " + seen).isNotNull();
                seen.append(line).append('\n');
            }
            assertThat(seen.toString()).doesNotContain(Victim.SECRET, "\"user\":\"victim\"", victims.job());
        }
    }
}
