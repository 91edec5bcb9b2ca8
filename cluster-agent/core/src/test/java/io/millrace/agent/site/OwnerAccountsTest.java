package io.millrace.agent.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.agent.checkpoint.MarkerFileQuery;
import io.millrace.agent.command.SignatureAuthorization;
import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.identity.SignedPlace;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.testing.Attack;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose rights the agent never takes, whatever stands in a command. */
class OwnerAccountsTest {

    private static final SiteNames SAME = SiteNames.same(ClusterId.of("alpha"));

    private static OwnerAccounts owners(final boolean asOwner) {
        return new OwnerAccounts(
                asOwner ? new Accounts() : TestAccounts.ofOrdinaryAgent(),
                new ReplayRunner(""),
                asOwner,
                () -> SAME,
                1000);
    }

    private static Accounts machine(final int uidOfAgent) {
        return new Accounts(name -> Optional.of(
                switch (name) {
                    case "toor" -> new Account(UserName.of("toor"), 0, 0, "/root", "/bin/sh");
                    case "anna" -> new Account(UserName.of("anna"), 1001, 100, "/home/anna", "/bin/sh");
                    default -> new Account(UserName.of(name), uidOfAgent, 0, "/", "/bin/sh");
                }));
    }

    private static void refused(final OwnerAccounts owners, final String user, final String because) {
        assertThat(owners.refusal(UserName.of(user)))
                .hasValueSatisfying(why -> assertThat(why).contains("'" + user + "'", because));
        assertThat(owners.runnerOfAccount(UserName.of(user)).run(new MarkerFileQuery("/tmp/marker")))
                .as("nothing is run either")
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED));
    }

    @Test
    void nothing_runs_as_root_or_as_a_system_account() {
        refused(owners(true), "root", "ordinary user");
        refused(owners(false), "root", "ordinary user");
        refused(owners(true), "daemon", "is a system account");
        refused(owners(true), "bin", "is a system account");
    }

    @Test
    void another_name_of_root_is_recognized_by_its_uid() {
        final OwnerAccounts owners = new OwnerAccounts(machine(0), new ReplayRunner(""), true, () -> SAME, 0);
        refused(owners, "toor", "uid 0");
        assertThatThrownBy(() -> owners.prefix(UserName.of("toor"))).hasMessageContaining("runs nothing as root");
        assertThat(owners.prefix(UserName.of("anna"))).contains("setpriv", "--reuid=1001");
    }

    @Test
    void an_agent_that_is_root_does_not_run_jobs_with_its_own_rights() {
        assertThatThrownBy(() -> new OwnerAccounts(machine(0), new ReplayRunner(""), false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("millrace.agent.local.run-as=owner");
        assertThat(new OwnerAccounts(machine(1001), new ReplayRunner(""), false).refusal(UserName.of("anna")))
                .isEmpty();
    }

    @Test
    @Attack("a command of a locked user reaches an agent")
    void the_agent_does_not_act_for_a_locked_user() {
        final OwnerAccounts owners = new OwnerAccounts(
                machine(0),
                new ReplayRunner(""),
                true,
                () -> SAME,
                1000,
                user -> user.value().equals("anna") ? Optional.of("user 'anna' is locked") : Optional.empty());
        assertThat(owners.refusal(UserName.of("anna"))).hasValue("user 'anna' is locked");
        assertThat(new SignatureAuthorization(null, owners, new SignedPlace(ClusterId.of("alpha"), "/staging"))
                        .refusal(new Action.SetLimit(UserName.of("anna"), 4), Instant.EPOCH))
                .hasValue("user 'anna' is locked");
    }

    @Test
    void a_user_without_an_account_is_refused() {
        refused(owners(true), "nobody-of-this-name", "no account on this cluster");
    }
}
