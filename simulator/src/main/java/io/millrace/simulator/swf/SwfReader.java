package io.millrace.simulator.swf;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads a trace, compressed with gzip or not. */
public final class SwfReader {

    private static final int FIELDS = 18;
    private static final long COMPLETED = 1;
    private static final long CANCELLED = 5;

    /** Three thousand years in seconds; larger values are not valid times. */
    private static final long LATEST_S = 100_000_000_000L;

    private final Map<String, String> header = new LinkedHashMap<>();
    private final List<SwfJob> jobs = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<String> longer = new ArrayList<>();
    private final Set<Long> ids = new HashSet<>();
    private long neverStarted;

    private SwfReader() {}

    /** @throws IOException if the file cannot be read; invalid lines are skipped and reported in the trace */
    public static SwfTrace read(final Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("'" + file + "' is a folder; specify a log in it");
        }
        try (InputStream packed = new BufferedInputStream(Files.newInputStream(file))) {
            return read(unpacked(packed));
        } catch (final EOFException | ZipException e) {
            throw new IOException("'" + file + "' is not a complete gzip file: " + e.getMessage(), e);
        }
    }

    /** The lines of a text file, compressed with gzip or not. */
    public static BufferedReader lines(final Path file) throws IOException {
        final InputStream packed = new BufferedInputStream(Files.newInputStream(file));
        return new BufferedReader(new InputStreamReader(unpacked(packed), StandardCharsets.ISO_8859_1));
    }

    private static InputStream unpacked(final InputStream stream) throws IOException {
        stream.mark(2);
        final boolean gzip = stream.read() == 0x1f && stream.read() == 0x8b;
        stream.reset();
        return gzip ? new GZIPInputStream(stream) : stream;
    }

    static SwfTrace read(final InputStream text) throws IOException {
        final SwfReader reader = new SwfReader();
        final BufferedReader lines = new BufferedReader(new InputStreamReader(text, StandardCharsets.ISO_8859_1));
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            reader.take(++number, line.strip());
        }
        reader.jobs.sort(Comparator.comparingLong(SwfJob::submit_s).thenComparingLong(SwfJob::id));
        return new SwfTrace(reader.header, reader.jobs, reader.skipped, reader.neverStarted, reader.longer);
    }

    private void take(final int number, final String line) {
        if (line.startsWith(";")) {
            final int colon = line.indexOf(':');
            if (colon > 0) {
                header.putIfAbsent(
                        line.substring(1, colon).strip(),
                        line.substring(colon + 1).strip());
            }
            return;
        }
        if (line.isEmpty()) {
            return;
        }
        final String[] fields = line.split("\\s+");
        try {
            if (neverStarted(fields)) {
                neverStarted++;
                return;
            }
            jobs.add(job(fields));
            if (fields.length > FIELDS) {
                longer.add("line " + number + ": " + fields.length + " fields, only the first " + FIELDS + " are used");
            }
        } catch (final InvalidLine e) {
            skipped.add("line " + number + ": " + e.getMessage());
        }
    }

    /** Unknown and irrelevant fields are -1: a job that never started has no run time, and no processors unless it was cancelled. */
    private static boolean neverStarted(final String[] fields) throws InvalidLine {
        if (fields.length < FIELDS || figure(fields, 4) >= 0) {
            return false;
        }
        final long status = figure(fields, 11);
        return status == CANCELLED || status != COMPLETED && figure(fields, 5) <= 0;
    }

    private SwfJob job(final String[] fields) throws InvalidLine {
        if (fields.length < FIELDS) {
            throw new InvalidLine(fields.length + " fields instead of " + FIELDS);
        }
        final long id = figure(fields, 1);
        final long submit = figure(fields, 2);
        final long run = figure(fields, 4);
        final long requestedCores = figure(fields, 8);
        final long cores = requestedCores > 0 ? requestedCores : figure(fields, 5);
        final long requested = figure(fields, 9);
        final String job = "job " + id;
        require(id >= 0, job + " has no number");
        require(submit >= 0, job + " has no submission time");
        require(run >= 0, job + " has no run time");
        require(Math.max(submit, Math.max(run, requested)) <= LATEST_S, job + " has a time beyond the year 3000");
        require(cores > 0 && cores <= Integer.MAX_VALUE, job + " has no number of processors");
        require(ids.add(id), job + " occurs twice");
        return new SwfJob(
                id, submit, run, (int) cores, requested > 0 ? requested : run, figure(fields, 12), figure(fields, 14));
    }

    private static void require(final boolean holds, final String otherwise) throws InvalidLine {
        if (!holds) {
            throw new InvalidLine(otherwise);
        }
    }

    /** Fractions of seconds are cut off. */
    private static long figure(final String[] fields, final int number) throws InvalidLine {
        final String text = fields[number - 1];
        try {
            return text.indexOf('.') < 0 ? Long.parseLong(text) : (long) Math.floor(Double.parseDouble(text));
        } catch (final NumberFormatException e) {
            throw new InvalidLine("field " + number + " is '" + text + "', not a number");
        }
    }

    private static final class InvalidLine extends Exception {
        private static final long serialVersionUID = 1L;

        private InvalidLine(final String message) {
            super(message);
        }
    }
}
