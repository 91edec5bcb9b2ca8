package io.millrace.agent.exec;

import java.util.ArrayList;
import java.util.Collection;
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
     * The prefix: empty for the own account, {@code setpriv} if the agent is root (all groups of the user, no capabilities, no PAM session),
     * otherwise {@code sudo -n}.
     *
     * @param variables names of the environment variables that sudo must preserve
     * @throws IllegalArgumentException if the owner has uid 0
     */
    public static List<String> prefix(final Account self, final Account owner, final Collection<String> variables) {
        refusal(owner).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        if (self.uid() == owner.uid()) {
            return List.of();
        }
        if (self.uid() == 0) {
            return List.of(
                    "setpriv",
                    "--reuid=" + owner.uid(),
                    "--regid=" + owner.gid(),
                    "--init-groups",
                    "--inh-caps=-all",
                    "--");
        }
        final List<String> sudo =
                new ArrayList<>(List.of("sudo", "-n", "-u", owner.name().value()));
        if (!variables.isEmpty()) {
            sudo.add("--preserve-env=" + String.join(",", variables));
        }
        sudo.add("--");
        return sudo;
    }
}
