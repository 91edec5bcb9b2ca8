package io.millrace.lab.campaigns.migration;

import io.millrace.story.Shell;
import io.millrace.story.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The hosts of two clusters and the cable between them, which the launcher has laid. Jobs are submitted on the first and run on the second. */
final class TwoHosts {

    /** The rate of the cable. */
    static final String FAST = "200mbit";

    private static final Path ROOT = Path.of("/");

    private final Site.Cluster home;
    private final Site.Cluster away;

    TwoHosts(final Site site) {
        if (site.clusters().size() != 2) {
            throw new IllegalArgumentException("the proof needs two clusters, not " + site.clusters());
        }
        this.home = site.clusters().getFirst();
        this.away = site.clusters().getLast();
    }

    Site.Cluster home() {
        return home;
    }

    Site.Cluster away() {
        return away;
    }

    /** The path of the data folder, which both hosts have. */
    Path scratch() {
        return host(home).scratch();
    }

    /** How this process reaches a file in the data folder of a host. */
    static Path on(final Site.Cluster cluster, final String file) {
        return host(cluster).disk().resolve(file);
    }

    private static Site.Host host(final Site.Cluster cluster) {
        return Objects.requireNonNull(
                cluster.host(), () -> "cluster '" + cluster.name() + "' is not on a host of its own");
    }

    /** The bytes that the interface of the cable has received on this host, with all headers. */
    static long received_bytes(final Site.Cluster cluster) {
        return Long.parseLong(run(
                "ip", "netns", "exec", host(cluster).namespace(), "cat", "/sys/class/net/eth0/statistics/rx_bytes"));
    }

    /** Pulls the cable out. Open connections remain, and their packets are lost. */
    void cut() {
        run("ip", "-n", host(away).namespace(), "link", "set", "eth0", "down");
    }

    void mend() {
        run("ip", "-n", host(away).namespace(), "link", "set", "eth0", "up");
    }

    /** @param rate of both directions, as tc reads it */
    void setRate(final String rate) {
        for (final Site.Cluster cluster : List.of(home, away)) {
            run(
                    "tc",
                    "-n",
                    host(cluster).namespace(),
                    "qdisc",
                    "replace",
                    "dev",
                    "eth0",
                    "root",
                    "tbf",
                    "rate",
                    rate,
                    "burst",
                    "256kb",
                    "latency",
                    "100ms");
        }
    }

    /**
     * Fills the file system of a host.
     *
     * @param left_bytes what remains free
     * @return the file to remove
     */
    static Path fill(final Site.Cluster cluster, final long left_bytes) {
        final Path ballast = on(cluster, "ballast");
        try {
            final long free = Files.getFileStore(host(cluster).disk()).getUsableSpace();
            run("fallocate", "--length", Long.toString(Math.max(1, free - left_bytes)), ballast.toString());
            return ballast;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the free space of " + cluster.name(), e);
        }
    }

    private static String run(final String... words) {
        return Shell.run(new ArrayList<>(List.of(words)), ROOT, Map.of()).orThrow();
    }
}
