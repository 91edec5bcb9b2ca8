package io.millrace.story;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Somebody with an account at the site, who types commands. */
record Person(Site site, Site.Account account) {

    /** A job that this person handed to a cluster, whichever way: its name finds it again. */
    record Handed(String jobName, String cluster, int cores) {}

    /** One of Millrace's own commands, as typed on a login node of {@code cluster}. */
    Shell.Answer millrace(final String cluster, final String tool, final List<String> arguments) {
        final List<String> command = new ArrayList<>();
        command.add(site.tools().resolve(tool).toString());
        command.addAll(arguments);
        return Shell.run(
                command,
                home(),
                Map.of(
                        "MILLRACE_API", site.api().toString(),
                        "MILLRACE_CLUSTER", cluster,
                        "MILLRACE_LOGIN_SOCKET",
                                site.cluster(cluster).loginSocket().toString(),
                        "MILLRACE_TOKEN_FILE", tokenFile().toString()));
    }

    String name() {
        return account.name();
    }

    /** The folder this person works in. */
    Path home() {
        return account.home();
    }

    /** Writes a file that belongs to this person, and its folder too. */
    Path write(final Path file, final String text) {
        Texts.write(file, text);
        if (account.ofTheMachine()) {
            Texts.giveTo(name(), folderOf(file));
            Texts.giveTo(name(), file);
        }
        return file;
    }

    Path tokenFile() {
        return site.work().resolve("token-" + name());
    }

    void logIn() {
        millrace(site.clusters().getFirst().name(), "mglogin", List.of("--as", name()))
                .orThrow();
    }

    /** Submits to Millrace and returns the global job's id. */
    String mgsub(final String cluster, final List<String> arguments) {
        return millrace(cluster, "mgsub", arguments).orThrow();
    }

    /**
     * Hands a job to one cluster: by its own {@code sbatch} where that is Slurm, else as a global job pinned to it.
     *
     * @param limit walltime; Slurm counts in whole minutes
     */
    Handed handIn(
            final String cluster, final String jobName, final int cores, final Duration limit, final String command) {
        final Site.Cluster where = site.cluster(cluster);
        final String script = "#!/bin/sh\n" + command + "\n";
        if (where.isSlurm()) {
            sbatch(where, jobName, cores, limit, command, List.of());
        } else {
            final Path file = write(home().resolve("jobs").resolve(jobName).resolve(jobName + ".sh"), script);
            mgsub(
                    cluster,
                    List.of(
                            "--target",
                            cluster,
                            "-n",
                            "" + cores,
                            "-t",
                            clock(limit),
                            "-J",
                            jobName,
                            "-d",
                            folderOf(file).toString(),
                            file.toString()));
        }
        return new Handed(jobName, cluster, cores);
    }

    /**
     * Hands a job to a Slurm cluster by its own {@code sbatch}.
     *
     * @param limit walltime; Slurm counts in whole minutes
     * @param more further options
     */
    void sbatch(
            final Site.Cluster where,
            final String jobName,
            final int cores,
            final Duration limit,
            final String command,
            final List<String> more) {
        final List<String> line = new ArrayList<>(
                List.of("setpriv", "--reuid=" + name(), "--regid=" + name(), "--init-groups", "--", "sbatch"));
        line.addAll(List.of("--parsable", "-n", "" + cores, "-t", "" + limit.toMinutes(), "-J", jobName));
        line.addAll(List.of("-o", "/dev/null"));
        line.addAll(more);
        line.addAll(List.of("--wrap", command));
        Shell.run(
                        line,
                        home(),
                        Map.of(
                                "SLURM_CONF",
                                Objects.requireNonNull(where.slurmConf()).toString()))
                .orThrow();
    }

    private static Path folderOf(final Path file) {
        return Objects.requireNonNull(file.getParent(), () -> "'" + file + "' has no folder");
    }

    private static String clock(final Duration limit) {
        return "%02d:%02d:%02d".formatted(limit.toHours(), limit.toMinutesPart(), limit.toSecondsPart());
    }
}
