package io.millrace.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds a free TCP port of the loopback interface. */
final class FreePort {
    private FreePort() {}

    /** Returns {@code wanted}, or a port that the kernel chooses if {@code wanted} is 0. */
    static int orWanted(int wanted) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
            return probe.getLocalPort();
        } catch (IOException taken) {
            throw new UncheckedIOException(
                    "port " + wanted + " on 127.0.0.1 is in use: stop the process that uses it or choose another port",
                    taken);
        }
    }
}
