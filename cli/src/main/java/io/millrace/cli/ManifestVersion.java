package io.millrace.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Reads the version from the manifest of the JAR file. */
public final class ManifestVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "millrace "
                    + Optional.ofNullable(ManifestVersion.class.getPackage().getImplementationVersion())
                            .orElse("(unpackaged)")
        };
    }
}
