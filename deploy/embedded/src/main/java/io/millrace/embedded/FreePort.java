package io.millrace.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds a free TCP port of the loopback interface for a server that binds it some seconds later. */
public final class FreePort {
    /**
     * Below the ephemeral ports (Linux: from 32768), because the kernel gives those to outgoing connections at any time, and below
     * the ports of the launcher (from 20000) and of the Slurm lab (from 12000).
     */
    private static final int FIRST = 4_000;

    private static final int AFTER_LAST = 12_000;

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
            try {
                return bound(ThreadLocalRandom.current().nextInt(FIRST, AFTER_LAST));
            } catch (IOException taken) {
                // Another random port is tried.
            }
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
