package io.millrace.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class ManifestVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "millrace "
                    + Optional.ofNullable(ManifestVersion.class.getPackage().getImplementationVersion())
                            .orElse("(unpackaged)")
        };
    }
}
