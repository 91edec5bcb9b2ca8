package io.millrace.transfer.domain;

import io.millrace.testing.service.DefaultSettings;
import io.millrace.transfer.TransferConfig;

/** The policy of tests: what an installation has that sets nothing. */
public final class Policies {

    public static final TransferPolicy INSTALLED =
            DefaultSettings.of(TransferConfig.class).policy();

    private Policies() {}

    public static TransferPolicy perReceiver(final int copies) {
        return new TransferPolicy(
                INSTALLED.perPair(),
                copies,
                INSTALLED.total(),
                INSTALLED.maxTries(),
                INSTALLED.initialBackoff(),
                INSTALLED.maxBackoff(),
                INSTALLED.commandValidity(),
                INSTALLED.copyTimeout(),
                INSTALLED.unavailableAfter(),
                INSTALLED.keepAfterSuccess(),
                INSTALLED.keepAfterFailure(),
                INSTALLED.linkBandwidth_mib_s(),
                INSTALLED.totalBandwidth_mib_s());
    }
}
