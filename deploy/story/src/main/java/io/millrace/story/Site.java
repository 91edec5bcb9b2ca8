package io.millrace.story;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The running stack that a scenario uses, as the launcher describes it in {@code site.properties}.
 *
 * @param api base of the REST API, without {@code /api/v1}
 * @param tools folder of the command line tools
 * @param work folder for the scenario's files, which every user can enter
 * @param accounts the users of the scenario
 */
public record Site(URI api, Path tools, Path work, List<Cluster> clusters, List<Account> accounts) {

    /**
     * A cluster of the site.
     *
     * @param slurmConf null if the cluster does not run Slurm
     * @param loginSocket socket at which its agent authenticates users
     * @param host null if the cluster shares this machine's network and file systems
     */
    public record Cluster(
            String name,
            int cores,
            Path loginSocket,
            @Nullable Path slurmConf,
            @Nullable Host host) {

        boolean isSlurm() {
            return slurmConf != null;
        }
    }

    /**
     * A cluster's own host on this machine.
     *
     * @param enter the words that run a command with the file systems of the host
     * @param namespace its network namespace
     * @param disk where this machine mounts the host's file system for data
     * @param scratch where the host mounts it
     */
    public record Host(List<String> enter, String namespace, Path disk, Path scratch) {

        public Host {
            enter = List.copyOf(enter);
        }
    }

    /**
     * A user of the scenario.
     *
     * @param role such as {@code alice}, {@code bob} or {@code operator}
     * @param name the account at the site
     * @param isLocalAccount whether the account exists on this machine and can own files
     */
    public record Account(String role, String name, Path home, boolean isLocalAccount) {}

    public Site {
        clusters = List.copyOf(clusters);
        accounts = List.copyOf(accounts);
    }

    public static Site read(final Path file) {
        final Properties lines = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            lines.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + file + "': is the stack up (./millrace up)?", e);
        }
        return new Site(
                URI.create(need(lines, "api", file)),
                Path.of(need(lines, "tools", file)),
                Path.of(need(lines, "work", file)),
                Arrays.stream(need(lines, "clusters", file).split(","))
                        .filter(name -> !name.isEmpty())
                        .map(name -> cluster(lines, name, file))
                        .toList(),
                new TreeSet<>(lines.stringPropertyNames())
                        .stream()
                                .filter(key -> key.matches("person\\.[^.]+\\.name"))
                                .map(key -> account(lines, key.split("\\.")[1], file))
                                .toList());
    }

    private static Account account(final Properties lines, final String role, final Path file) {
        final String prefix = "person." + role + ".";
        return new Account(
                role,
                need(lines, prefix + "name", file),
                Path.of(need(lines, prefix + "home", file)),
                Boolean.parseBoolean(need(lines, prefix + "of-the-machine", file)));
    }

    private static Cluster cluster(final Properties lines, final String name, final Path file) {
        final String prefix = "cluster." + name + ".";
        final String conf = lines.getProperty(prefix + "slurm-conf");
        return new Cluster(
                name,
                Integer.parseInt(need(lines, prefix + "cores", file)),
                Path.of(need(lines, prefix + "login-socket", file)),
                conf == null ? null : Path.of(conf),
                lines.getProperty(prefix + "enter") == null ? null : host(lines, prefix, file));
    }

    private static Host host(final Properties lines, final String prefix, final Path file) {
        return new Host(
                List.of(need(lines, prefix + "enter", file).split(" ")),
                need(lines, prefix + "namespace", file),
                Path.of(need(lines, prefix + "disk", file)),
                Path.of(need(lines, prefix + "scratch", file)));
    }

    private static String need(final Properties lines, final String key, final Path file) {
        return Objects.requireNonNull(lines.getProperty(key), () -> "'" + key + "' is missing in '" + file + "'");
    }

    public Cluster cluster(final String name) {
        return clusters.stream()
                .filter(cluster -> cluster.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the site has no cluster '" + name + "'"));
    }

    public SiteUser user(final String role) {
        return accounts.stream()
                .filter(account -> account.role().equals(role))
                .findFirst()
                .map(account -> new SiteUser(this, account))
                .orElseThrow(() -> new IllegalArgumentException("the site has no user with role '" + role + "'"));
    }
}
