package io.millrace.agent.slurm;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The names of Millrace's QoS: {@code mr.alpha} is the common, preemptable one of cluster alpha, {@code mr.alpha.anna} is anna's own. The
 * cluster is part of the name because a QoS and its limits belong to slurmdbd, which many clusters may share. sacctmgr writes all names in
 * small letters and parts lists by commas: whatever a user is called, only {@code a-z 0-9 . _ - ~} appear, other bytes as {@code ~hex}.
 */
record QosNames(ClusterId cluster) {

    private static final String PREFIX = "mr.";
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789._-";

    /** Of work beyond its owner's quota, of all users. */
    String common() {
        return PREFIX + cluster;
    }

    /** Of the work within this user's quota. */
    String own(final UserName user) {
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

    /** Whose own QoS this is; empty for any other. */
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
        // A QoS that an operator made under our prefix may spell no user at all.
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
