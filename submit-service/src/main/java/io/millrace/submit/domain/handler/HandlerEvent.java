package io.millrace.submit.domain.handler;

import io.millrace.model.Event;
import io.millrace.model.job.JobStatus;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An event to be delivered to a handler.
 *
 * @param attributes CloudEvents' attributes by name, without prefix: {@code id}, {@code source}, {@code type}…
 * @param data JSON
 * @param event the same, read; null if it is not needed
 */
public record HandlerEvent(
        SortedMap<String, String> attributes,
        String data,
        @Nullable Event event) {

    private static final int ID_BYTES = 16;

    public HandlerEvent(final Map<String, String> attributes, final String data) {
        this(new TreeMap<>(attributes), data, null);
    }

    /** The same, with the state of the job that it shows as the attribute {@code jobstate}. */
    public HandlerEvent with(final Event read) {
        final SortedMap<String, String> all = new TreeMap<>(attributes);
        JobStatus.shownBy(read).ifPresent(state -> all.put("jobstate", state.word()));
        return new HandlerEvent(all, data, read);
    }

    /**
     * The message id, which is the same for every delivery of an event. It is derived from the attributes {@code source} and {@code id},
     * which identify an event, and contains no dots, which separate the signed parts.
     */
    public String id() {
        final String named = attributes.get("source") + "\n" + attributes.get("id");
        try {
            final byte[] digest = MessageDigest.getInstance("SHA-256").digest(named.getBytes(StandardCharsets.UTF_8));
            return "msg_" + HexFormat.of().formatHex(digest, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available in this JDK", e);
        }
    }
}
