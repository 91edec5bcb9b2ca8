package io.millrace.model.authorization;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.file.FileRequest;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.transfer.FilterRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a user has authorized, as text: a first line with the kind, then one line {@code NAME VALUE} for each field of the kind, in a fixed
 * order. A program without a parser for JSON can read it strictly. In a value, control characters and {@code %} are percent-encoded, and
 * {@code -} is a value that is absent.
 *
 * <p>The kinds have different first lines, so none can pass as another.
 */
public record Authorization(Kind kind, Map<String, String> fields) {

    /** What the owner has authorized. */
    public enum Kind {
        /** A job runs, and its files are copied. */
        SUBMISSION(
                "submission",
                "key",
                "owner",
                "issuer",
                "job",
                "cluster",
                "directory",
                "script",
                "make",
                "arguments",
                "variables",
                "inputs",
                "results",
                "until",
                "copies-until"),
        /** A cluster reports how it would run a job. */
        DRY_RUN(
                "dry-run",
                "key",
                "owner",
                "issuer",
                "job",
                "cluster",
                "directory",
                "script",
                "make",
                "arguments",
                "variables",
                "until"),
        /** A file of a job is read. */
        FILE_READ(
                "file-read",
                "key",
                "owner",
                "job",
                "cluster",
                "directory",
                "id",
                "path",
                "offset",
                "length",
                "filter",
                "until");

        private final String word;
        private final List<String> names;

        Kind(final String word, final String... names) {
            this.word = word;
            this.names = List.of(names);
        }

        String firstLine() {
            return "millrace " + word + " 1";
        }
    }

    /** A value that is absent. */
    private static final String NONE = "-";

    public Authorization {
        if (!List.copyOf(fields.keySet()).equals(kind.names)) {
            throw new IllegalArgumentException(
                    "the fields of a " + kind.word + " are " + kind.names + ", not " + fields.keySet());
        }
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /**
     * The directory and the files of a job.
     *
     * @param issuer whose login vouched for the owner; null for a tool
     * @param cluster that has {@code directory}
     * @param filters of the copies to another cluster and back
     */
    public record Origin(
            UserName owner,
            @Nullable ClusterId issuer,
            GlobalJobId job,
            ClusterId cluster,
            String directory,
            FileFilters filters) {}

    /**
     * @param key id of the key that signs
     * @param until when the job may be started at the latest
     * @param copiesUntil when its files may be copied and removed at the latest
     */
    public static Authorization submission(
            final String key, final Origin of, final JobSpec spec, final Instant until, final Instant copiesUntil) {
        final Map<String, String> all = run(key, of, spec);
        all.put("inputs", SignedDigest.of(of.filters().inputs()));
        all.put("results", SignedDigest.of(of.filters().results()));
        all.put("until", seconds(until));
        all.put("copies-until", seconds(copiesUntil));
        return new Authorization(Kind.SUBMISSION, all);
    }

    /** @param of the cluster that reports, and the directory there; filters do not matter */
    public static Authorization dryRun(final String key, final Origin of, final JobSpec spec, final Instant until) {
        final Map<String, String> all = run(key, of, spec);
        all.put("until", seconds(until));
        return new Authorization(Kind.DRY_RUN, all);
    }

    private static Map<String, String> run(final String key, final Origin of, final JobSpec spec) {
        final Map<String, String> all = new LinkedHashMap<>();
        all.put("key", key);
        all.put("owner", of.owner().value());
        all.put("issuer", of.issuer() == null ? NONE : of.issuer().value());
        all.put("job", of.job().value());
        all.put("cluster", of.cluster().value());
        all.put("directory", of.directory());
        all.putAll(digests(spec));
        return all;
    }

    private static Map<String, String> digests(final JobSpec spec) {
        final Map<String, String> all = new LinkedHashMap<>();
        all.put("script", SignedDigest.ofScript(spec.script()));
        all.put("make", spec.make() == null ? NONE : SignedDigest.ofScript(spec.make()));
        all.put("arguments", SignedDigest.ofTexts(spec.arguments() == null ? List.of() : spec.arguments()));
        all.put("variables", SignedDigest.of(spec.environment()));
        return all;
    }

    /** The request, except for its signature. */
    public static Authorization fileRead(final String key, final FileRequest request) {
        final Map<String, String> all = new LinkedHashMap<>();
        all.put("key", key);
        all.put("owner", request.owner().value());
        all.put("job", request.job().value());
        all.put("cluster", request.cluster().value());
        all.put("directory", request.directory());
        all.put("id", request.id());
        all.put("path", request.path());
        all.put("offset", request.offset() == null ? NONE : Long.toString(request.offset()));
        all.put("length", Integer.toString(request.length()));
        all.put("filter", request.copyFilter() == null ? NONE : SignedDigest.of(request.copyFilter()));
        all.put("until", seconds(request.validUntil()));
        return new Authorization(Kind.FILE_READ, all);
    }

    /** The directory of an attempt on a cluster other than its own. */
    public static String stagingDirectory(final String root, final UserName owner, final AttemptId attempt) {
        return (root.endsWith("/") ? root : root + "/") + owner + "/" + attempt;
    }

    public String key() {
        return value("key");
    }

    public String owner() {
        return value("owner");
    }

    /** Null for a tool. */
    public @Nullable String issuer() {
        return NONE.equals(fields.get("issuer")) ? null : fields.get("issuer");
    }

    public String job() {
        return value("job");
    }

    public String cluster() {
        return value("cluster");
    }

    public String directory() {
        return value("directory");
    }

    /** Whether these are the script, make step, arguments and variables that were signed. */
    public boolean covers(final JobSpec spec) {
        try {
            return digests(spec).entrySet().stream()
                    .allMatch(digest -> digest.getValue().equals(fields.get(digest.getKey())));
        } catch (final IllegalArgumentException e) {
            return false; // no text with a zero byte was signed
        }
    }

    /** Whether the files for the job are copied by these rules. */
    public boolean coversInputs(final @Nullable List<FilterRule> rules) {
        return SignedDigest.of(rules == null ? List.of() : rules).equals(fields.get("inputs"));
    }

    /** Whether the results are copied by these rules. */
    public boolean coversResults(final @Nullable List<FilterRule> rules) {
        return SignedDigest.of(rules == null ? List.of() : rules).equals(fields.get("results"));
    }

    /** When it may be used at the latest to start something. */
    public Instant until() {
        return Instant.ofEpochSecond(Long.parseLong(value("until")));
    }

    /** When it may be used at the latest to copy or remove files of the job. */
    public Instant copiesUntil() {
        return Instant.ofEpochSecond(Long.parseLong(value("copies-until")));
    }

    private String value(final String name) {
        final String value = fields.get(name);
        if (value == null) {
            throw new IllegalStateException("a " + kind.word + " has no field '" + name + "'");
        }
        return value;
    }

    private static String seconds(final Instant time) {
        return Long.toString(time.getEpochSecond());
    }

    /** What is signed, in UTF-8. */
    public String text() {
        final StringBuilder text = new StringBuilder(kind.firstLine()).append('\n');
        fields.forEach((name, value) ->
                text.append(name).append(' ').append(encoded(value)).append('\n'));
        return text.toString();
    }

    /** @throws IllegalArgumentException if the text is not exactly what {@link #text} prints */
    public static Authorization of(final String text) {
        final List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
        for (final Kind kind : Kind.values()) {
            if (lines.getFirst().equals(kind.firstLine()) && lines.size() == kind.names.size() + 2) {
                final Map<String, String> fields = new LinkedHashMap<>();
                for (int i = 0; i < kind.names.size(); i++) {
                    final String prefix = kind.names.get(i) + " ";
                    if (!lines.get(i + 1).startsWith(prefix)) {
                        throw new IllegalArgumentException("line " + (i + 2) + " does not begin with '" + prefix + "'");
                    }
                    fields.put(kind.names.get(i), decoded(lines.get(i + 1).substring(prefix.length())));
                }
                final Authorization read = new Authorization(kind, fields);
                if (read.text().equals(text)) {
                    return read;
                }
            }
        }
        throw new IllegalArgumentException("the text is not a submission, a dry run or a request to read a file");
    }

    private static String encoded(final String value) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            final char c = value.charAt(i);
            if (c < ' ' || c == '%' || c == 0x7f) {
                text.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    private static String decoded(final String value) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '%') {
                if (i + 3 > value.length()) {
                    throw new IllegalArgumentException("'%' is not followed by two digits");
                }
                text.append((char) HexFormat.fromHexDigits(value, i + 1, i + 3));
                i += 2;
            } else {
                text.append(value.charAt(i));
            }
        }
        return text.toString();
    }
}
