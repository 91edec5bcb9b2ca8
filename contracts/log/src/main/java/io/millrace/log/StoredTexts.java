package io.millrace.log;

import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Scripts, make steps, variables and arguments of the jobs that have not ended, in a file without a name instead of the heap. A decider that
 * does not decide about them keeps a job without them, and what it writes gets them back. Otherwise the texts of a user's waiting jobs could fill its heap, again
 * at each start. Equal texts are in the file once. The file is made again from the log after a restart.
 *
 * <p>A job without texts has their digest as its script. Trouble with the file is an {@link IOError}, because it is no fault of the
 * record that is applied.
 */
public final class StoredTexts {

    /** The file is written again without unused texts when it is larger, and less than half of it is in use. */
    private static final long LARGE = 64L << 20;

    private static final int MANY = 10_000;

    private static final class Stored {
        private final String digest;
        private final int size;
        private long offset;
        private int jobs;

        private Stored(final String digest, final int size, final long offset) {
            this.digest = digest;
            this.size = size;
            this.offset = offset;
        }
    }

    private final Map<String, Stored> texts = new HashMap<>();
    private final Map<GlobalJobId, Stored> jobs = new HashMap<>();
    private FileChannel file = open();
    private long end;
    private long used;
    private int usedTexts;

    private static FileChannel open() {
        try {
            return FileChannel.open(
                    Files.createTempFile("texts", null),
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
        } catch (final IOException e) {
            throw new IOError(e);
        }
    }

    /** The job without its texts, which are kept until the job is {@link #ended}. */
    public JobSubmitted keep(final JobSubmitted job) {
        final byte[] bytes = bytes(job.spec());
        final String digest = digest(bytes);
        final Stored known = texts.get(digest);
        final Stored stored = known == null ? append(digest, bytes) : known;
        final Stored before = jobs.put(job.job(), stored);
        if (before != stored) {
            use(stored);
            release(before);
        }
        return job.withSpec(without(job.spec(), stored.digest));
    }

    private void use(final Stored stored) {
        if (stored.jobs++ == 0) {
            used += stored.size;
            usedTexts++;
        }
    }

    private void release(final @Nullable Stored stored) {
        if (stored != null && --stored.jobs == 0) {
            used -= stored.size;
            usedTexts--;
        }
    }

    /** The state of a job without its texts. Those of a job that has ended are not kept. */
    public GlobalJob keep(final GlobalJob job) {
        if (job.state().isFinal()) {
            ended(job.id());
            return job.with(job.submission().withSpec(without(job.submission().spec(), "")));
        }
        return job.with(keep(job.submission()));
    }

    public void ended(final GlobalJobId job) {
        release(jobs.remove(job));
        final boolean isFileUnused = end > LARGE && end > 2 * used;
        final boolean areTextsUnused = texts.size() > MANY && texts.size() > 2 * usedTexts;
        if (isFileUnused || areTextsUnused) {
            writeAgain();
        }
    }

    private void writeAgain() {
        try (FileChannel old = file) {
            file = open();
            end = 0;
            texts.values().removeIf(stored -> stored.jobs == 0);
            for (final Stored stored : texts.values()) {
                final byte[] bytes = read(old, stored);
                stored.offset = end;
                write(bytes);
            }
        } catch (final IOException e) {
            throw new IOError(e);
        }
    }

    private Stored append(final String digest, final byte[] bytes) {
        final Stored stored = new Stored(digest, bytes.length, end);
        write(bytes);
        texts.put(digest, stored);
        return stored;
    }

    private void write(final byte[] bytes) {
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            while (buffer.hasRemaining()) {
                end += file.write(buffer, end);
            }
        } catch (final IOException e) {
            throw new IOError(e);
        }
    }

    private static byte[] read(final FileChannel from, final Stored stored) {
        final ByteBuffer buffer = ByteBuffer.allocate(stored.size);
        try {
            while (buffer.hasRemaining()) {
                if (from.read(buffer, stored.offset + buffer.position()) < 0) {
                    throw new EOFException("the file of texts is too short");
                }
            }
        } catch (final IOException e) {
            throw new IOError(e);
        }
        return buffer.array();
    }

    /** The job with its texts. */
    public JobSubmitted complete(final JobSubmitted job) {
        return job.withSpec(complete(job.spec()));
    }

    /** The event with the texts of its job; other events are not changed. */
    public Event complete(final Event event) {
        return switch (event) {
            case GlobalJob job -> job.with(complete(job.submission()));
            case Command command ->
                switch (command.action()) {
                    case Action.Submit submit -> command.with(submit.with(complete(submit.spec())));
                    case Action.Make make -> command.with(make.with(complete(make.spec())));
                    default -> command;
                };
            default -> event;
        };
    }

    private JobSpec complete(final JobSpec spec) {
        final Stored stored = texts.get(spec.script());
        if (stored == null) {
            throw new IllegalStateException("the texts of job '" + spec.name() + "' are not kept");
        }
        return spec(spec, read(file, stored));
    }

    private static JobSpec without(final JobSpec spec, final String digest) {
        return spec.withTexts(digest, spec.make() == null ? null : digest, Map.of(), null);
    }

    private static byte[] bytes(final JobSpec spec) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(bytes);
        try {
            write(out, spec.script());
            out.writeBoolean(spec.make() != null);
            if (spec.make() != null) {
                write(out, spec.make());
            }
            out.writeInt(spec.environment().size());
            for (final Map.Entry<String, String> variable : new TreeMap<>(spec.environment()).entrySet()) {
                write(out, variable.getKey());
                write(out, variable.getValue());
            }
            final List<String> arguments = spec.arguments() == null ? List.of() : spec.arguments();
            out.writeInt(arguments.size());
            for (final String argument : arguments) {
                write(out, argument);
            }
        } catch (final IOException e) {
            throw new IllegalStateException("memory has no errors", e);
        }
        return bytes.toByteArray();
    }

    private static JobSpec spec(final JobSpec spec, final byte[] bytes) {
        final DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            final String script = text(in);
            final @Nullable String make = in.readBoolean() ? text(in) : null;
            final Map<String, String> environment = new LinkedHashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                environment.put(text(in), text(in));
            }
            final List<String> arguments = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                arguments.add(text(in));
            }
            return spec.withTexts(script, make, environment, arguments);
        } catch (final IOException e) {
            throw new IOError(e);
        }
    }

    /** In ASCII, or with two bytes for each character: a text may contain halves of surrogate pairs, which UTF-8 cannot express. */
    private static void write(final DataOutputStream out, final String text) throws IOException {
        final boolean isAscii = text.chars().allMatch(c -> c < 0x80);
        out.writeBoolean(isAscii);
        out.writeInt(text.length());
        if (isAscii) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        } else {
            out.writeChars(text);
        }
    }

    private static String text(final DataInputStream in) throws IOException {
        final boolean isAscii = in.readBoolean();
        final int length = in.readInt();
        return isAscii
                ? new String(in.readNBytes(length), StandardCharsets.US_ASCII)
                : ByteBuffer.wrap(in.readNBytes(2 * length)).asCharBuffer().toString();
    }

    private static String digest(final byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
