package io.millrace.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.FakeDeciders;
import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.transfer.Place;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SignatureAuthorizationTest {

    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

    private final SignatureAuthorization permits =
            new SignatureAuthorization(null, new OwnerAccounts(TestAccounts.labels(), new ReplayRunner(""), true));

    private static Action.Submit submit(final String owner) {
        return new Action.Submit(
                GlobalJobId.of("01HZZZZZZZZZZZZZZZZZZZZZZZ").attempt(1),
                UserName.of(owner),
                FakeDeciders.spec("#!/bin/sh\n", 1),
                "/tmp",
                "");
    }

    @Test
    void nothing_is_done_as_root() {
        assertThat(permits.refusal(submit("root"), NOW))
                .hasValueSatisfying(why -> assertThat(why).contains("'root'"));
        final Place place = new Place(ClusterId.of("alpha"), null, "/tmp/x");
        final Action copy = new Action.CopyTree(TransferId.of("x/upload"), UserName.of("root"), place, place);
        assertThat(permits.refusal(copy, NOW)).isPresent();
    }

    @Test
    void without_keys_no_script_is_taken() {
        assertThat(permits.refusal(submit("anna"), NOW))
                .hasValueSatisfying(why -> assertThat(why).contains("millrace.agent.submission-keys"));
    }
}
