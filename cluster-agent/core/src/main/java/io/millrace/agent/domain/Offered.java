package io.millrace.agent.domain;

import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What the workload manager of the cluster offers.
 *
 * @param capabilities what is offered at the moment
 * @param withheld for a capability that the adapter implements and the installation does not allow: reason and remedy
 */
public record Offered(Supplier<Set<Capability>> capabilities, Function<Capability, Optional<String>> withheld) {

    /** @param what what needs them, such as {@code 'start'} */
    public Optional<Result.Refused> refusal(final String what, final Set<Capability> needed) {
        final Set<Capability> offered = capabilities.get();
        final String missing = needed.stream()
                .filter(capability -> !offered.contains(capability))
                .sorted()
                .map(capability -> withheld.apply(capability)
                        .orElseGet(() -> what + " needs " + capability
                                + ", which the workload manager of this cluster does not offer"))
                .collect(Collectors.joining("; "));
        return missing.isEmpty() ? Optional.empty() : Optional.of(new Result.Refused(Refusal.UNSUPPORTED, missing));
    }
}
