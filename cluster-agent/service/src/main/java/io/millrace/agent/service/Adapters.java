package io.millrace.agent.service;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.SshDestination;
import io.millrace.agent.exec.SshRunner;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.ProviderContext;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import io.millrace.model.ClusterId;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Selects the configured adapter among the modules on the class path, and opens it on this host or through ssh. */
final class Adapters {

    private Adapters() {}

    /** @throws IllegalStateException if no module provides this adapter */
    static WorkloadManagerProvider provider(final String adapter, final List<WorkloadManagerProvider> providers) {
        final String wanted = adapter.toLowerCase(Locale.ROOT);
        return providers.stream()
                .filter(provider -> names(provider).anyMatch(wanted::equals))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("millrace.agent.adapter '" + adapter
                        + "' is unknown; choose one of "
                        + providers.stream()
                                .map(WorkloadManagerProvider::name)
                                .sorted()
                                .collect(Collectors.joining(", "))));
    }

    private static Stream<String> names(final WorkloadManagerProvider provider) {
        return Stream.concat(Stream.of(provider.name()), provider.aliases().stream());
    }

    static WorkloadManager open(
            final WorkloadManagerProvider provider,
            final AgentConfig config,
            final ClusterId cluster,
            final Accounts accounts,
            final Clock clock) {
        final SshDestination remote = destination(config.ssh());
        final Runner here = new ProcessRunner(accounts);
        final Runner runner = remote == null ? here : new SshRunner(here, remote);
        return provider.open(new ProviderContext(cluster, config.control(), accounts, runner, remote, clock, nonces()));
    }

    private static @Nullable SshDestination destination(final AgentConfig.Ssh ssh) {
        return ssh.destination()
                .map(host -> new SshDestination(host, ssh.configFile().orElse(null)))
                .orElse(null);
    }

    private static Supplier<String> nonces() {
        final SecureRandom random = new SecureRandom();
        return () -> {
            final byte[] bytes = new byte[12];
            random.nextBytes(bytes);
            return HexFormat.of().formatHex(bytes);
        };
    }
}
