package io.millrace.agent.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.checkpoint.MarkerFileQuery;
import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import org.junit.jupiter.api.Test;

/** Whose rights the agent never takes, whatever stands in a command. */
class OwnerAccountsTest {

    private static final SiteNames SAME = SiteNames.same(ClusterId.of("alpha"));

    private static OwnerAccounts owners(final boolean asOwner) {
        return new OwnerAccounts(new Accounts(), new ReplayRunner(""), asOwner, () -> SAME, 1000);
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
    void who_has_no_account_here_is_told_so() {
        refused(owners(true), "nobody-of-this-name", "no account on this cluster");
    }
}
