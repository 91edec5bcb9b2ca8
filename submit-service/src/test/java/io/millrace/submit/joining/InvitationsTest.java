package io.millrace.submit.joining;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InvitationsTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final UserName OLGA = UserName.of("olga");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void an_invitation_expires(@TempDir final Path folder) {
        final Invitations invitations = new Invitations(folder.resolve("invitations"));
        final Invitation invitation = Invitation.of(ALPHA, "");
        final Instant end = invitations.open(invitation, OLGA, NOW);
        assertThat(end).isEqualTo(NOW.plus(Invitations.LIFETIME));
        assertThat(invitations.isOpen(invitation, end.minusSeconds(1))).isTrue();
        assertThat(invitations.isOpen(invitation, end)).isFalse();
        assertThat(invitations.use(invitation, end)).isFalse();
        assertThat(invitations.use(invitation, end.minusSeconds(1))).isTrue();
        assertThat(invitations.use(invitation, end.minusSeconds(1))).isFalse();
    }

    @Test
    void a_new_invitation_replaces_the_earlier_one(@TempDir final Path folder) {
        final Invitations invitations = new Invitations(folder);
        final Invitation first = Invitation.of(ALPHA, "");
        final Invitation second = Invitation.of(ALPHA, "");
        invitations.open(first, OLGA, NOW);
        invitations.open(second, OLGA, NOW);
        assertThat(invitations.use(first, NOW)).isFalse();
        assertThat(invitations.use(second, NOW)).isTrue();
    }

    @Test
    void a_token_can_be_read_back_and_other_texts_cannot() {
        final Invitation invitation = Invitation.of(ALPHA, "0".repeat(64));
        assertThat(Invitation.parse(invitation.token())).contains(invitation);
        assertThat(invitation.toString()).doesNotContain(invitation.secret());
        assertThat(Invitation.parse(invitation.token() + "x")).isEmpty();
        assertThat(Invitation.parse("mgi.../x." + "A".repeat(43) + ".")).isEmpty();
        assertThat(Invitation.parse("")).isEmpty();
    }
}
