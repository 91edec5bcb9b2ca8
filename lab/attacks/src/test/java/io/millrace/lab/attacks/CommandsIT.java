package io.millrace.lab.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.transfer.Place;
import io.millrace.testing.Attack;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Commands of an attacker who may write the commands of a cluster, and knows a submission that was signed. */
@TestInstance(Lifecycle.PER_CLASS)
class CommandsIT {

    private static final UserName VICTIM = UserName.of(Victim.NAME);
    private static final String MARK = "hacked";

    private final AttackedSite site = AttackedSite.get();
    private Path directory;
    private JobSubmitted signed;
    private JobSubmitted other;
    private int count;

    @BeforeAll
    void the_victim_has_signed_submissions() throws Exception {
        directory = site.ownedFolder("commands");
        signed = submitted();
        other = submitted();
    }

    private JobSubmitted submitted() {
        final String id = Victim.created(site.as(Victim.NAME), "/api/v1/jobs", Victim.body(directory.toString()));
        return site.log()
                .await("the submission", JobSubmitted.class, sent -> sent.job().equals(GlobalJobId.of(id)));
    }

    private Action.Submit submit(final JobSubmitted of) {
        return new Action.Submit(of.job().attempt(1), VICTIM, of.spec(), directory.toString(), of.signature());
    }

    private Result answer(final Issuer issuer, final Action action, final Instant validUntil) {
        final Command command = new Command(
                Command.idOf(issuer, action, count++),
                AttackedSite.ALPHA,
                issuer,
                0,
                Instant.now(),
                validUntil,
                List.of(),
                action,
                "because the attacker says so");
        site.log().put(command);
        return site.log()
                .await(
                        "an answer to " + action.name(),
                        Outcome.class,
                        outcome -> outcome.isAnswer() && outcome.command().equals(command.id()))
                .result();
    }

    private static Instant soon() {
        return Instant.now().plus(Duration.ofMinutes(50));
    }

    private static JobSpec forgedSpec(final Map<String, String> variables) {
        return new JobSpec(
                Victim.SECRET,
                "#!/bin/sh\ntouch " + MARK + "\n",
                null,
                Resources.cores(1),
                Duration.ofMinutes(5),
                null,
                null,
                variables,
                new CheckpointMethod.None(),
                false);
    }

    @Test
    void the_signed_submission_itself_is_accepted() {
        assertThat(answer(Issuer.MIGRATION, submit(submitted()), soon())).isInstanceOf(Result.Done.class);
    }

    @Attack("a program that can write commands forges one, or changes a signed one")
    @TestFactory
    List<DynamicTest> a_forged_command_is_refused() {
        final AttemptId attempt = signed.job().attempt(1);
        final String here = directory.toString();
        final JobSpec spec = signed.spec();
        final String signature = signed.signature();
        final Map<String, Action> forged = new LinkedHashMap<>();
        forged.put("no signature", new Action.Submit(attempt, VICTIM, spec, here, ""));
        forged.put("the signature of another job", new Action.Submit(attempt, VICTIM, spec, here, other.signature()));
        forged.put(
                "a cut signature",
                new Action.Submit(attempt, VICTIM, spec, here, signature.substring(0, signature.length() - 4)));
        forged.put(
                "the claims without a signature",
                new Action.Submit(attempt, VICTIM, spec, here, signature.substring(0, signature.lastIndexOf('.') + 1)));
        forged.put("another owner", new Action.Submit(attempt, UserName.of("mallory"), spec, here, signature));
        forged.put("root as the owner", new Action.Submit(attempt, UserName.of("root"), spec, here, signature));
        forged.put(
                "another script", new Action.Submit(attempt, VICTIM, forgedSpec(spec.environment()), here, signature));
        forged.put(
                "another variable",
                new Action.Submit(
                        attempt, VICTIM, spec.withEnvironment(Map.of("BASH_ENV", "/tmp/x")), here, signature));
        forged.put("a make step", new Action.Make(attempt, VICTIM, forgedSpec(Map.of()), here, signature));
        forged.put("a dry run", new Action.DryRun(attempt, VICTIM, forgedSpec(Map.of()), here, signature));
        forged.put(
                "an unsigned copy",
                new Action.CopyTree(
                        TransferId.of(attempt + "/upload"),
                        VICTIM,
                        new Place(AttackedSite.ALPHA, null, here),
                        new Place(AttackedSite.ALPHA, null, here + "/" + MARK)));
        final List<DynamicTest> tests = new ArrayList<>();
        forged.forEach((what, action) -> tests.add(DynamicTest.dynamicTest(what, () -> {
            final Issuer issuer = action instanceof Action.DryRun
                    ? Issuer.SUBMIT
                    : action instanceof Action.CopyTree ? Issuer.TRANSFER : Issuer.MIGRATION;
            isRefused(answer(issuer, action, soon()));
        })));
        tests.add(DynamicTest.dynamicTest(
                "another issuer", () -> isRefused(answer(Issuer.BACKFILL, submit(signed), soon()))));
        tests.add(DynamicTest.dynamicTest(
                "expired",
                () -> isRefused(
                        answer(Issuer.MIGRATION, submit(signed), Instant.now().minusSeconds(1)))));
        return tests;
    }

    private void isRefused(final Result result) {
        assertThat(result).isInstanceOf(Result.Refused.class);
        assertThat(directory.resolve(MARK)).doesNotExist();
    }
}
