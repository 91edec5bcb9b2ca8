package io.millrace.agent.exec;

import java.util.List;
import java.util.Optional;

/** The command line prefix that starts a program with the rights of another account. */
public final class UserSwitch {

    private UserSwitch() {}

    /** Why nothing is started with the rights of this account; empty if programs may run as this account. The uid decides, not the name. */
    public static Optional<String> refusal(final Account owner) {
        return owner.uid() == 0
                ? Optional.of("account '" + owner.name()
                        + "' has uid 0, and Millrace runs nothing as root; submit as an ordinary user")
                : Optional.empty();
    }

    /**
     * The prefix: empty for the own account, {@code setpriv} if the agent is root (all groups of the user, no capabilities, no PAM session).
     *
     * @throws IllegalArgumentException if the owner has uid 0, or the agent cannot become the owner without {@link Helper}
     */
    public static List<String> prefix(final Account self, final Account owner) {
        refusal(owner).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        if (self.uid() == owner.uid()) {
            return List.of();
        }
        if (self.uid() != 0) {
            throw new IllegalArgumentException("only root runs a program as '" + owner.name() + "' without the helper");
        }
        return List.of(
                "setpriv",
                "--reuid=" + owner.uid(),
                "--regid=" + owner.gid(),
                "--init-groups",
                "--inh-caps=-all",
                "--");
    }

    /** Whether the agent becomes this owner through {@link Helper}. */
    public static boolean needsHelper(final Account self, final Account owner) {
        return self.uid() != 0 && self.uid() != owner.uid();
    }
}
