package io.millrace.agent.exec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The command line prefix that starts a program with the rights of another account. */
public final class UserSwitch {

    private UserSwitch() {}

    /**
     * The prefix: empty for the own account, {@code setpriv} if the agent is root (all groups of the user, no capabilities, no PAM session),
     * otherwise {@code sudo -n}.
     *
     * @param variables names of the environment variables that sudo must preserve
     */
    public static List<String> prefix(final Account self, final Account owner, final Collection<String> variables) {
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
