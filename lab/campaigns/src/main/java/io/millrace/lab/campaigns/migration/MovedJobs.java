package io.millrace.lab.campaigns.migration;

import io.millrace.story.Pause;
import io.millrace.story.RestQueries;
import io.millrace.story.Shell;
import io.millrace.story.SiteUser;
import io.millrace.story.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Jobs whose directory is on one host and that run on the other one. Each is built there, records its run in a file outside of its directory,
 * writes a result file of random bytes, and computes the checksums of its input and its result.
 */
final class MovedJobs {

    /** A job waits at a gate until the proof opens it. */
    enum Gate {
        MAKE,
        RUN
    }

    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final Duration LOOK = Duration.ofMillis(100);
    /** Exit code of a command whose request may be repeated. */
    private static final int UNREACHABLE = 5;

    private static final int TRIES = 5;

    private final TwoHosts hosts;
    private final SiteUser user;
    private final RestQueries queries;
    private final Random random;
    /** The name of each accepted job, and its id. */
    private final Map<String, String> accepted = new TreeMap<>();

    MovedJobs(final TwoHosts hosts, final SiteUser user, final RestQueries queries, final Random random) {
        this.hosts = hosts;
        this.user = user;
        this.queries = queries;
        this.random = random;
    }

    /** Writes a file of random bytes into the user's folder on the first host. */
    Path randomFile(final String name, final long bytes) {
        final Path file = atHome(name);
        final byte[] block = new byte[1 << 20];
        try {
            Files.createDirectories(parent(file));
            try (OutputStream out = Files.newOutputStream(file)) {
                for (long left = bytes; left > 0; left -= block.length) {
                    random.nextBytes(block);
                    out.write(block, 0, (int) Math.min(left, block.length));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write '" + file + "'", e);
        }
        return file;
    }

    /**
     * Writes the directory of a job.
     *
     * @param input hard-linked into the directory
     * @param closed gates at which the job waits
     */
    void write(final String name, final Path input, final long result_bytes, final List<Gate> closed) {
        final Path directory = atHome(name);
        Texts.write(directory.resolve("name"), name);
        Texts.write(directory.resolve("make.sh"), """
            #!/bin/bash
            set -e
            name=$(<name)
            %s
            echo "built for $name" >built.txt
            """.formatted(await(Gate.MAKE)));
        // The jobs of a batch run the same script.
        Texts.write(directory.resolve("job.sh"), """
            #!/bin/bash
            set -e
            name=$(<name)
            echo run >>%s/runs/"$name"
            %s
            head -c %d /dev/urandom >result.dat
            sha256sum input.dat result.dat built.txt >sums.txt
            """.formatted(hosts.scratch(), await(Gate.RUN), result_bytes));
        try {
            Files.createLink(directory.resolve("input.dat"), input);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot link '" + input + "' into '" + directory + "'", e);
        }
        for (final Gate gate : Gate.values()) {
            if (!closed.contains(gate)) {
                open(gate, name);
            }
        }
    }

    /** Makes the user the owner of all files in the user's folder. */
    void giveAll() {
        Shell.run(List.of("chown", "-R", user.name() + ":", atHome("").toString()), Path.of("/"), Map.of())
                .orThrow();
    }

    private String await(final Gate gate) {
        return "until [[ -e %s/gates/$name-%s ]]; do sleep 0.1; done".formatted(hosts.scratch(), gate);
    }

    void open(final Gate gate, final String name) {
        final Path file = Texts.write(TwoHosts.on(hosts.away(), "gates/" + name + "-" + gate), "");
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the gate '" + file + "'", e);
        }
    }

    /** Submits the jobs in these directories, as a batch if there are several. */
    void submit(final List<String> names) {
        final Path folder = hosts.scratch().resolve(user.name());
        final List<String> words =
                new ArrayList<>(List.of("--target", hosts.away().name(), "-n", "1", "-t", "30", "-J"));
        if (names.size() == 1) {
            final Path directory = folder.resolve(names.getFirst());
            words.addAll(List.of(
                    names.getFirst(),
                    "-D",
                    directory.toString(),
                    "--make",
                    directory + "/make.sh",
                    directory + "/job.sh"));
            accepted.put(names.getFirst(), mgsub(words));
            return;
        }
        final String pattern = names.getFirst().replaceAll("\\d+$", "*");
        words.addAll(List.of("batch", "-D", folder.toString(), "--directories", pattern));
        final Path first = folder.resolve(names.getFirst());
        words.addAll(List.of("--make", first + "/make.sh", first + "/job.sh"));
        final String batch = mgsub(words);
        while (!accepted.keySet().containsAll(names)) {
            queries.batch(batch).forEach((name, job) -> accepted.put(name, job.number()));
            Pause.of(LOOK);
        }
    }

    private String mgsub(final List<String> words) {
        final List<String> once = new ArrayList<>(List.of("--idempotency-key", "%016x".formatted(random.nextLong())));
        once.addAll(words);
        Shell.Answer answer = user.millrace(hosts.home().name(), "mgsub", once);
        for (int tries = 1; answer.exit() == UNREACHABLE && tries < TRIES; tries++) {
            answer = user.millrace(hosts.home().name(), "mgsub", once);
        }
        return answer.orThrow();
    }

    /** The stage of the job. */
    String stage(final String name) {
        return queries.findGlobalJob(id(name)).map(RestQueries.GlobalJob::stage).orElse("Waiting");
    }

    /** Why the job is in its state, in words. */
    String why(final String name) {
        return queries.why(id(name));
    }

    private String id(final String name) {
        final String id = accepted.get(name);
        if (id == null) {
            throw new IllegalArgumentException("no job '" + name + "' was accepted");
        }
        return id;
    }

    /**
     * Waits until all of these jobs are over.
     *
     * @return those that are not after the time limit
     */
    List<String> awaitEnds(final List<String> names) {
        final long until = System.nanoTime() + LIMIT.toNanos();
        final List<String> waiting = new ArrayList<>(names);
        while (true) {
            waiting.removeIf(name -> queries.findGlobalJob(id(name))
                    .map(RestQueries.GlobalJob::isOver)
                    .orElse(false));
            if (waiting.isEmpty() || System.nanoTime() > until) {
                return waiting;
            }
            Pause.of(LOOK.multipliedBy(5));
        }
    }

    /** What is wrong with a job that should be over; empty if nothing is. */
    List<String> faults(final String name) {
        final List<String> faults = new ArrayList<>();
        final RestQueries.GlobalJob job = queries.globalJob(id(name));
        if (!job.stage().equals("End")) {
            faults.add("lost: " + job.state() + " " + job.detail());
        }
        final long runs = List.of(hosts.home(), hosts.away()).stream()
                .mapToLong(host -> Texts.readIfThere(TwoHosts.on(host, "runs/" + name))
                        .lines()
                        .count())
                .sum();
        if (runs != 1) {
            faults.add("it ran " + runs + " times");
        }
        final Map<String, String> sums = sums(name);
        for (final String file : List.of("input.dat", "result.dat", "built.txt")) {
            final String here = digest(atHome(name).resolve(file));
            if (!here.equals(sums.get(file))) {
                faults.add(file + " at home has the checksum " + here + ", the job computed " + sums.get(file));
            }
        }
        return faults.stream().map(fault -> name + " " + fault).toList();
    }

    private Map<String, String> sums(final String name) {
        final Map<String, String> sums = new TreeMap<>();
        Texts.readIfThere(atHome(name).resolve("sums.txt"))
                .lines()
                .map(line -> line.split(" +", 2))
                .forEach(pair -> sums.put(pair[1], pair[0]));
        return sums;
    }

    private Path atHome(final String name) {
        return TwoHosts.on(hosts.home(), user.name() + "/" + name);
    }

    private static Path parent(final Path file) {
        return file.resolveSibling("");
    }

    private static String digest(final Path file) {
        if (!Files.exists(file)) {
            return "of no file";
        }
        try (InputStream in = Files.newInputStream(file)) {
            final MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(in, sha256).transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(sha256.digest());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + file + "'", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no SHA-256", e);
        }
    }
}
