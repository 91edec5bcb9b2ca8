package io.millrace.agent.slurm.qos;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The names of Millrace's QoS: {@code mr.alpha} is the common, preemptible QoS of cluster alpha, {@code mr.alpha.anna} is the QoS of user
 * anna. The cluster is part of the name because several clusters may share one slurmdbd. sacctmgr converts names to lower case and
 * separates lists by commas, so a name contains only {@code a-z 0-9 . _ - ~}; other bytes of a user name are written as {@code ~hex}.
 */
public record QosNames(ClusterId cluster) {

    private static final String PREFIX = "mr.";
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789._-";

    /** The QoS for jobs of all users beyond their quota. */
    public String common() {
        return PREFIX + cluster;
    }

    /** The QoS for jobs within this user's quota. */
    public String own(final UserName user) {
        final StringBuilder name = new StringBuilder(ownPrefix());
        for (final byte letter : user.value().getBytes(StandardCharsets.UTF_8)) {
            if (PLAIN.indexOf(letter) >= 0) {
                name.append((char) letter);
            } else {
                name.append("~%02x".formatted(letter & 0xff));
            }
        }
        return name.toString();
    }

    /** The user of a user's QoS; empty for any other QoS. */
    Optional<UserName> user(final String qos) {
        if (!qos.startsWith(ownPrefix()) || qos.length() == ownPrefix().length()) {
            return Optional.empty();
        }
        final String name = qos.substring(ownPrefix().length());
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < name.length(); at++) {
            if (name.charAt(at) != '~') {
                bytes.writeBytes(name.substring(at, at + 1).getBytes(StandardCharsets.UTF_8));
            } else if (at + 2 < name.length() && name.substring(at + 1, at + 3).matches("[0-9a-f]{2}")) {
                bytes.write(Integer.parseInt(name.substring(at + 1, at + 3), 16));
                at += 2;
            } else {
                return Optional.empty();
            }
        }
        // An operator may have created a QoS with this prefix that does not encode a user name.
        final String user = bytes.toString(StandardCharsets.UTF_8);
        try {
            return Optional.of(UserName.of(user)).filter(named -> own(named).equals(qos));
        } catch (final IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private String ownPrefix() {
        return common() + ".";
    }
}
