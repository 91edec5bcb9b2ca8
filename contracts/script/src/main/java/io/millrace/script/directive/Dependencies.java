package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.JobSetting.After;
import io.millrace.script.JobSetting.When;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Job dependencies in the formats of Slurm, PBS and LSF. */
public final class Dependencies {

    private static final Pattern LSF_TERM = Pattern.compile("\\s*(?:(done|ended|exit|started)"
            + "\\s*\\(\\s*(\"[^\"]*\"|'[^']*'|[^()\\s\"',]+)\\s*\\)|(\\d{1,10}(?:\\[[^\\]]*\\])?))\\s*");

    private static final String ULID = "(?i:[0-7][0-9A-HJKMNP-TV-Z]{25})";
    /** Of a job or a batch. The workload managers' own ids have a cluster before them, or the name of their server behind them. */
    private static final Pattern GLOBAL_ID = Pattern.compile(ULID + "|[1-9]\\d{0,14}(_\\d{1,9})?");

    private static final String CLUSTER = "(?:([A-Za-z0-9][A-Za-z0-9._-]{0,62})/)?";
    private static final Pattern SLURM_ID = Pattern.compile(CLUSTER + "\\d{1,15}(_(\\d{1,10}|\\*))?|" + ULID);
    private static final Pattern PBS_ID = Pattern.compile(CLUSTER + "[A-Za-z0-9._@\\[\\]-]+");
    private static final Pattern LOCAL_ID = Pattern.compile(CLUSTER + "(.+)");
    private static final Pattern CORRESPONDING = Pattern.compile("(" + ULID + "|\\d{1,15})\\[\\*]");
    private static final Pattern TASK = Pattern.compile("(\\d{1,15})\\[(\\d{1,9})]");
    private static final Pattern ALL_TASKS = Pattern.compile("(\\d{1,15})(?:_\\*|\\[\\*?])");

    private static final String SLURM_FORMS =
            "use afterok:ID, afternotok:ID, afterany:ID, aftercorr:ID, after:ID (without a time) or singleton";
    private static final String PBS_FORMS = "use afterok:ID, afternotok:ID, afterany:ID or after:ID";
    private static final String LSF_FORMS =
            "use done(ID), exit(ID), ended(ID) or started(ID), joined only by && or only by ||";

    private Dependencies() {}

    /**
     * The dependency in the format of {@code sbatch --dependency}.
     *
     * @throws IllegalArgumentException if it is not valid, or of a kind that only Slurm knows
     */
    public static JobSetting.Dependency read(final String text) {
        try {
            return slurm(text);
        } catch (final DirectiveSyntaxException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Whether all jobs are named by numbers or ids of global jobs or batches, or by the name of the job itself. */
    public static boolean isGlobal(final JobSetting.Dependency dependency) {
        return dependency.after().stream().allMatch(after -> after.when() == When.SINGLETON || isGlobal(after.job()));
    }

    /** Whether a text is the number or id of a global job or batch. */
    public static boolean isGlobal(final String job) {
        return GLOBAL_ID.matcher(job).matches();
    }

    /** The cluster in the id of a local job, as in {@code alpha/153}; empty if the id names none. */
    public static Optional<String> cluster(final String job) {
        final Matcher local = LOCAL_ID.matcher(job);
        return local.matches() ? Optional.ofNullable(local.group(1)) : Optional.empty();
    }

    /** With the ids of local jobs as their workload manager writes them: {@code 153} for {@code alpha/153}. */
    public static JobSetting.Dependency withLocalIds(final JobSetting.Dependency dependency) {
        return new JobSetting.Dependency(
                dependency.after().stream()
                        .map(after -> new After(after.when(), localId(after.job()), after.byName()))
                        .toList(),
                dependency.all());
    }

    private static String localId(final String job) {
        final Matcher local = LOCAL_ID.matcher(job);
        return local.matches() ? local.group(2) : job;
    }

    /** Whether Slurm can read the ids. */
    public static boolean hasSlurmIds(final JobSetting.Dependency dependency) {
        return dependency.after().stream()
                .allMatch(after -> after.when() == When.SINGLETON
                        || SLURM_ID.matcher(after.job()).matches());
    }

    /** The tasks of global jobs as Millrace writes them: {@code 4711_4} for {@code 4711[4]}, and {@code 4711} for {@code 4711_*}. */
    private static String tasks(final String job) {
        final Matcher task = TASK.matcher(job);
        if (task.matches()) {
            return task.group(1) + "_" + task.group(2);
        }
        final Matcher all = ALL_TASKS.matcher(job);
        return all.matches() ? all.group(1) : job;
    }

    /**
     * {@code afterok:1:2,afterany:3} (all), or {@code afterok:1?afterany:3} (any). A job without its dependency would start too early, so
     * every other form is refused: delays, {@code expand}, {@code afterburstbuffer}, and lists of ids of which one list must be met.
     */
    static JobSetting.Dependency slurm(final String text) throws DirectiveSyntaxException {
        final boolean any = text.contains("?");
        if (any && text.contains(",")) {
            throw new DirectiveSyntaxException("commas (all) and question marks (any) cannot be combined");
        }
        final List<After> after = new ArrayList<>();
        for (final String part : text.split("[,?]", -1)) {
            if (part.equalsIgnoreCase("singleton")) {
                after.add(new After(When.SINGLETON, "", false));
                continue;
            }
            final List<After> each = afterJobs(part, SLURM_ID, SLURM_FORMS);
            if (any && each.size() > 1) {
                throw new DirectiveSyntaxException("'" + part + "' names several jobs next to a question mark; "
                        + "write each as a condition of its own, as in afterok:1?afterok:2");
            }
            after.addAll(each);
        }
        return new JobSetting.Dependency(after, !any);
    }

    /** {@code afterok:1:2}. */
    private static List<After> afterJobs(final String part, final Pattern id, final String forms)
            throws DirectiveSyntaxException {
        final String[] words = part.strip().split(":", -1);
        final When when = when(words[0].toLowerCase(Locale.ROOT));
        if (when == null) {
            throw new DirectiveSyntaxException("'" + part + "' is not a dependency that Millrace can keep; " + forms);
        }
        if (words.length < 2) {
            throw new DirectiveSyntaxException("'" + part + "' has no job id; " + forms);
        }
        final List<After> after = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            if (!id.matcher(words[i]).matches()) {
                throw new DirectiveSyntaxException(
                        "'" + words[i] + "' in '" + part + "' is not a job id that Millrace can wait for; " + forms);
            }
            after.add(new After(when, tasks(words[i]), false));
        }
        return after;
    }

    private static @Nullable When when(final String word) {
        return switch (word) {
            case "after" -> When.STARTED;
            case "afterok" -> When.OK;
            case "afternotok" -> When.NOT_OK;
            case "afterany" -> When.ENDED;
            case "aftercorr" -> When.CORRESPONDING;
            default -> null;
        };
    }

    /** {@code afterok:1.server:2,afterany:3}: all dependencies must be met. Every other form is refused. */
    static JobSetting.Dependency pbs(final String text) throws DirectiveSyntaxException {
        final List<After> after = new ArrayList<>();
        for (final String part : text.split(",", -1)) {
            final List<After> each = afterJobs(part, PBS_ID, PBS_FORMS);
            if (each.getFirst().when() == When.CORRESPONDING) {
                throw new DirectiveSyntaxException(
                        "'" + part + "' is not a dependency that Millrace can keep; " + PBS_FORMS);
            }
            after.addAll(each);
        }
        return new JobSetting.Dependency(after, true);
    }

    /** Terms joined by only {@code &&} or only {@code ||}. Every other form is refused. */
    static JobSetting.Dependency lsf(final String text) throws DirectiveSyntaxException {
        final boolean any = text.contains("||");
        if (any && text.contains("&&")) {
            throw new DirectiveSyntaxException("&& and || cannot be combined; " + LSF_FORMS);
        }
        final List<After> after = new ArrayList<>();
        for (final String part : text.split(any ? "\\|\\|" : "&&", -1)) {
            final Matcher m = LSF_TERM.matcher(part);
            if (!m.matches()) {
                throw new DirectiveSyntaxException(
                        "'" + part.strip() + "' is not a dependency that Millrace can keep; " + LSF_FORMS);
            }
            after.add(
                    m.group(3) == null ? after(m.group(1), m.group(2)) : new After(When.OK, tasks(m.group(3)), false));
        }
        return new JobSetting.Dependency(after, !any);
    }

    /** {@code done(1)}, {@code exit("name")}; {@code done(ID[*])} of the array with this global id: the task with the same index. */
    private static After after(final String condition, final String name) {
        final boolean quoted = name.startsWith("\"") || name.startsWith("'");
        final String job = quoted ? name.substring(1, name.length() - 1) : name;
        final Matcher corresponding = CORRESPONDING.matcher(job);
        if (condition.equals("done") && corresponding.matches()) {
            return new After(When.CORRESPONDING, corresponding.group(1), false);
        }
        final When when = switch (condition) {
            case "done" -> When.OK;
            case "exit" -> When.NOT_OK;
            case "started" -> When.STARTED;
            default -> When.ENDED;
        };
        return new After(when, tasks(job), !job.matches("(.+/)?\\d{1,15}(\\[.*\\])?"));
    }

    /** The format of Slurm and PBS: {@code afterok:1:2,afterany:3}. */
    public static String chain(final JobSetting.Dependency wish, final String separator) {
        if (!wish.all()) {
            // The ids of one term must all be met, so each id becomes a separate term.
            return wish.after().stream()
                    .map(after -> after.when() == When.SINGLETON ? "singleton" : word(after.when()) + ":" + after.job())
                    .collect(Collectors.joining(separator));
        }
        final Map<String, List<String>> jobs = new LinkedHashMap<>();
        wish.after()
                .forEach(after -> jobs.computeIfAbsent(word(after.when()), any -> new ArrayList<>())
                        .add(after.job()));
        return jobs.entrySet().stream()
                .map(entry -> entry.getKey().equals("singleton")
                        ? "singleton"
                        : entry.getKey() + ":" + String.join(":", entry.getValue()))
                .collect(Collectors.joining(separator));
    }

    private static String word(final When when) {
        return switch (when) {
            case STARTED -> "after";
            case OK -> "afterok";
            case NOT_OK -> "afternotok";
            case ENDED -> "afterany";
            case CORRESPONDING -> "aftercorr";
            case SINGLETON -> "singleton";
        };
    }

    public static String forLsf(final JobSetting.Dependency wish) {
        return wish.after().stream()
                .map(after -> switch (after.when()) {
                            case STARTED -> "started";
                            case OK, CORRESPONDING -> "done";
                            case NOT_OK -> "exit";
                            case ENDED, SINGLETON -> "ended";
                        }
                        + "(" + (after.byName() ? "\"" + after.job() + "\"" : after.job()) + ")")
                .collect(Collectors.joining(wish.all() ? " && " : " || "));
    }
}
