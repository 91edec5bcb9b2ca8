package io.millrace.story;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A user with an account at the site, who runs commands. */
public record SiteUser(Site site, Site.Account account) {

    /** A job that this user submitted to a cluster. */
    public record SubmittedJob(String jobName, String cluster, int cores) {}

    /** Runs one of Millrace's commands as on a login node of {@code cluster}. */
    public Shell.Answer millrace(final String cluster, final String tool, final List<String> arguments) {
        final Site.Host host = site.cluster(cluster).host();
        final List<String> command = new ArrayList<>(host == null ? List.of() : host.enter());
        command.add(site.tools().resolve(tool).toString());
        command.addAll(arguments);
        return Shell.run(command, home(), environment(cluster));
    }

    /** The variables of a shell on a login node of {@code cluster}. */
    Map<String, String> environment(final String cluster) {
        return Map.of(
                "MILLRACE_API", site.api().toString(),
                "MILLRACE_CLUSTER", cluster,
                "MILLRACE_LOGIN_SOCKET", site.cluster(cluster).loginSocket().toString(),
                "MILLRACE_TOKEN_FILE", tokenFile().toString());
    }

    public String name() {
        return account.name();
    }

    /** The user's working folder. */
    public Path home() {
        return account.home();
    }

    /** Writes a file that belongs to this user, and creates its folder. */
    public Path write(final Path file, final String text) {
        Texts.write(file, text);
        if (account.isLocalAccount()) {
            Texts.giveTo(name(), folderOf(file));
            Texts.giveTo(name(), file);
        }
        return file;
    }

    public Path tokenFile() {
        return site.work().resolve("token-" + name());
    }

    public void logIn() {
        millrace(site.clusters().getFirst().name(), "mglogin", List.of("--as", name()))
                .orThrow();
    }

    /** Submits to Millrace and returns the global job's id. */
    public String mgsub(final String cluster, final List<String> arguments) {
        return millrace(cluster, "mgsub", arguments).orThrow();
    }

    /**
     * Submits a job to one cluster: with {@code sbatch} if the cluster runs Slurm, otherwise as a global job with that target.
     *
     * @param limit walltime; Slurm counts whole minutes
     */
    public SubmittedJob submit(
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
                            "-D",
                            folderOf(file).toString(),
                            file.toString()));
        }
        return new SubmittedJob(jobName, cluster, cores);
    }

    /**
     * Submits a job to a Slurm cluster with {@code sbatch}.
     *
     * @param limit walltime; Slurm counts whole minutes
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
