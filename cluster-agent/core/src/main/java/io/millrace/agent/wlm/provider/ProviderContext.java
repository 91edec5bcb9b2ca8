package io.millrace.agent.wlm.provider;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.SshDestination;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the agent passes to an adapter when it opens it.
 *
 * @param control initial control of the cluster
 * @param accounts accounts of this host
 * @param runner runs command lines on the host of the workload manager
 * @param remote that host; null: this one
 * @param nonces random strings that cannot be guessed, as separators in output
 */
public record ProviderContext(
        ClusterId cluster,
        Control control,
        Accounts accounts,
        Runner runner,
        @Nullable SshDestination remote,
        Clock clock,
        Supplier<String> nonces) {

    /** Name of the account under which the workload manager knows the agent. */
    public String account() {
        return Optional.ofNullable(remote)
                .flatMap(SshDestination::account)
                .orElseGet(() -> accounts.own().name().value());
    }

    /**
     * The folder of the workload manager's programs as set.
     *
     * @param key the setting, e.g. {@code millrace.agent.lsf.bin-dir}
     * @throws IllegalStateException if it is set although commands run through ssh, where the forced command chooses the folder
     */
    public Optional<Path> programs(final Optional<Path> folder, final String key) {
        if (remote != null && folder.isPresent()) {
            throw new IllegalStateException(key + " has no effect over ssh; remove the setting and add 'folder="
                    + folder.get() + "' to /etc/millrace/remote.conf on " + remote.host());
        }
        return folder;
    }
}
