package io.millrace.agent.transfer.objectstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A folder of an object store that rclone can reach.
 *
 * @param name a remote of the configuration file and a path in it, {@code REMOTE:BUCKET/PREFIX}. Two agents with the same name use the same
 *     store
 * @param config configuration file of rclone with the remote; only the agent may read it
 */
public record ObjectStore(String name, Path config) {

    /** No remote that is defined in the name itself, because the name is published and credentials could be part of it. */
    private static final Pattern NAME = Pattern.compile("[\\p{Alnum}_][\\p{Alnum}_.+@-]*:[^\\p{Cntrl}:,]*");

    private static final Set<PosixFilePermission> PRIVATE =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    public ObjectStore {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the object store must be REMOTE:BUCKET/PREFIX, where REMOTE is a"
                    + " section of the configuration file of rclone, not '" + name + "'");
        }
    }

    /**
     * Checks that other users cannot read the configuration file.
     *
     * @throws IllegalArgumentException if they can, or the file does not exist
     */
    public static ObjectStore open(final String name, final Path config) {
        try {
            if (!Files.isRegularFile(config)
                    || !Files.getOwner(config).getName().equals(System.getProperty("user.name"))
                    || !PRIVATE.containsAll(Files.getPosixFilePermissions(config))) {
                throw new IllegalArgumentException("'" + config
                        + "' must be a file that belongs to the account of the agent and has mode 0600,"
                        + " because it contains the credentials of the object store");
            }
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read the attributes of '" + config + "'", e);
        }
        return new ObjectStore(name, config);
    }

    /** rclone's name of an object or a folder. */
    public String path(final String... names) {
        return name + (name.endsWith(":") || name.endsWith("/") ? "" : "/") + String.join("/", names);
    }

    /**
     * The words of a call of rclone.
     *
     * @param stall a connection without data for this time is closed
     * @param bandwidth_kib_s 0: no limit
     */
    List<String> words(final Duration stall, final int bandwidth_kib_s, final List<String> special) {
        final List<String> words = new ArrayList<>(List.of(
                "rclone",
                "--config=" + config,
                "--ask-password=false",
                "--retries=1", // transfer-service repeats the transfer
                "--low-level-retries=4",
                "--contimeout=15s",
                "--timeout=" + Math.max(1, stall.toSeconds()) + "s"));
        if (bandwidth_kib_s > 0) {
            words.add("--bwlimit=" + bandwidth_kib_s + "k");
        }
        words.addAll(special);
        return words;
    }
}
