package io.millrace.cli.slurm;

import io.millrace.cli.ManifestVersion;
import picocli.CommandLine.IVersionProvider;

/** Tools read the second word. */
public final class SlurmVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"slurm 22.05.8 (" + new ManifestVersion().getVersion()[0] + ")"};
    }
}
