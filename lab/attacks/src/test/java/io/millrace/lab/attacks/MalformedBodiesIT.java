package io.millrace.lab.attacks;

import static io.millrace.lab.attacks.Refused.isProblem;

import io.millrace.lab.attacks.Operations.Operation;
import io.millrace.testing.Attack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Bodies that no operation accepts, sent by an operator, who passes all other checks. */
@TestInstance(Lifecycle.PER_CLASS)
class MalformedBodiesIT {

    private final AttackedSite site = AttackedSite.get();
    private Operations.Target victims;

    @BeforeAll
    void the_victim_has_jobs() {
        victims = Victim.on(site).jobs();
    }

    @Attack("a malformed body crashes a route or reveals its inside")
    @TestFactory
    List<DynamicTest> of_every_route() {
        final ApiClient operator = site.as(AttackedSite.OPERATOR);
        final List<Operation> routes =
                Operations.all().stream().filter(Operation::hasBody).toList();
        final List<DynamicTest> tests = new ArrayList<>();
        for (final String line : Cases.read("malformed-bodies.txt")) {
            final byte[] body = Cases.text(line).getBytes(StandardCharsets.UTF_8);
            for (final Operation route : Cases.sample("body " + line, routes, 1)) {
                tests.add(DynamicTest.dynamicTest(
                        route + " " + line,
                        () -> isProblem(
                                operator.send(route.method(), route.path(victims), body, "If-Match", "\"0\""))));
            }
        }
        return tests;
    }

    @Attack("a body that is no UTF-8, or has another media type or encoding, is read as something else")
    @TestFactory
    List<DynamicTest> in_another_encoding() {
        final ApiClient operator = site.as(AttackedSite.OPERATOR);
        final byte[] body = "{\"reason\": \"x\"}".getBytes(StandardCharsets.UTF_8);
        final List<DynamicTest> tests = new ArrayList<>();
        for (final Operation route : Operations.all()) {
            if (!route.hasBody()
                    || route.template().endsWith("/join")) { // takes no login, so this one is refused first
                continue;
            }
            for (final String type : List.of(
                    "text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data")) {
                tests.add(DynamicTest.dynamicTest(
                        route + " " + type,
                        () -> isProblem(
                                operator.send(route.method(), route.path(victims), body, "Content-Type", type), 415)));
            }
            tests.add(DynamicTest.dynamicTest(
                    route + " invalid UTF-8",
                    () -> isProblem(operator.send(
                            route.method(),
                            route.path(victims),
                            new byte[] {'{', '"', (byte) 0xc3, (byte) 0x28, '"', ':', '1', '}'},
                            "If-Match",
                            "\"0\""))));
        }
        return tests;
    }
}
