package io.millrace.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Finds a free TCP port of the loopback interface for a server that binds it some seconds later. */
public final class FreePort {
    /**
     * Below the ephemeral ports (Linux: from 32768), because the kernel gives those to outgoing connections at any time, and below
     * the ports of the launcher (from 20000) and of the Slurm lab (from 12000).
     */
    private static final int FIRST = 4_000;

    private static final int AFTER_LAST = 12_000;

    /**
     * A byte per port. The process that chose a port locks its byte until it ends, so that no other process chooses the port before
     * the server has bound it. Null if the file cannot be opened, for example because it belongs to another user.
     */
    private static final @Nullable FileChannel CLAIMS = openClaims();

    private FreePort() {}

    /** Returns {@code wanted}, or a random free port if {@code wanted} is 0. */
    public static int orWanted(int wanted) {
        if (wanted == 0) {
            return any();
        }
        try {
            return bound(wanted);
        } catch (IOException taken) {
            throw new UncheckedIOException(
                    "port " + wanted + " on 127.0.0.1 is in use: stop the process that uses it or choose another port",
                    taken);
        }
    }

    private static int any() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, AFTER_LAST);
            try {
                if (isClaimed(port)) {
                    return bound(port);
                }
            } catch (IOException taken) {
                // Another random port is tried.
            }
        }
    }

    /** Whether this call claimed the port; false if this or another process claimed it before. */
    private static boolean isClaimed(int port) throws IOException {
        try {
            return CLAIMS == null || CLAIMS.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException claimedByThisProcess) {
            return false;
        }
    }

    private static @Nullable FileChannel openClaims() {
        Path file = Path.of(System.getProperty("java.io.tmpdir"))
                .resolve("millrace-claimed-ports-" + System.getProperty("user.name"));
        try {
            return FileChannel.open(
                    file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException notOurs) {
            return null;
        }
    }

    private static int bound(int port) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return port;
        }
    }
}
