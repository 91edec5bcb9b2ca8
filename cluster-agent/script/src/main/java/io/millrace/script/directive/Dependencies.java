package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.JobSetting.After;
import io.millrace.script.JobSetting.When;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Job dependencies in the formats of Slurm, PBS and LSF. */
public final class Dependencies {

    private static final Pattern LSF_TERM = Pattern.compile(
            "\\s*(?:(done|ended|exit|started)\\s*\\(\\s*(\"[^\"]*\"|'[^']*'|[^()\\s\"']+)\\s*\\)|(\\d{1,10}(?:\\[[^\\]]*\\])?))\\s*");

    private static final Pattern GLOBAL_ID = Pattern.compile("(?i)[0-7][0-9A-HJKMNP-TV-Z]{25}");

    private Dependencies() {}

    /**
     * The dependency in the format of {@code sbatch --dependency}.
     *
     * @throws IllegalArgumentException if it is not valid, or of a kind that only Slurm knows
     */
    public static JobSetting.Dependency read(final String text) {
        try {
            if (slurm(text) instanceof JobSetting.Dependency dependency) {
                return dependency;
            }
        } catch (final DirectiveSyntaxException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        throw new IllegalArgumentException("'" + text
                + "' is not a valid dependency; use afterok:ID, afternotok:ID, afterany:ID, aftercorr:ID, after:ID (without a time) or"
                + " singleton");
    }

    /** Whether all jobs are named by the ids of global jobs or batches, or by the name of the job itself. */
    public static boolean isGlobal(final JobSetting.Dependency dependency) {
        return dependency.after().stream().allMatch(after -> after.when() == When.SINGLETON || isGlobal(after.job()));
    }

    /** Whether a text is the id of a global job or batch. */
    public static boolean isGlobal(final String job) {
        return GLOBAL_ID.matcher(job).matches();
    }

    /** {@code afterok:1:2,afterany:3} (all), or with question marks (any). Other forms are specific to Slurm. */
    static JobSetting slurm(final String text) throws DirectiveSyntaxException {
        final boolean any = text.contains("?");
        final JobSetting specific = new JobSetting.SystemSpecific(List.of("--dependency=" + text));
        if (any && text.contains(",")) {
            throw new DirectiveSyntaxException("commas (all) and question marks (any) cannot be combined");
        }
        final List<After> after = new ArrayList<>();
        for (final String part : text.split("[,?]")) {
            if (part.equals("singleton")) {
                after.add(new After(When.SINGLETON, "", false));
                continue;
            }
            final String[] words = part.split(":");
            if (words.length < 2) {
                throw new DirectiveSyntaxException("'" + part + "' has no job id; use for example afterok:123");
            }
            final When when = when(words[0]);
            if (when == null) {
                return specific;
            }
            for (int i = 1; i < words.length; i++) {
                if (words[i].contains("+") || any && words.length > 2) { // any of several lists
                    return specific;
                }
                after.add(new After(when, words[i], false));
            }
        }
        return new JobSetting.Dependency(after, !any);
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

    /** {@code afterok:1.server:2,afterany:3}: all dependencies must be met. */
    static JobSetting pbs(final String text) throws DirectiveSyntaxException {
        final List<After> after = new ArrayList<>();
        for (final String part : text.split(",")) {
            final String[] words = part.split(":", -1);
            final When when = when(words[0]);
            if (when == null || when == When.CORRESPONDING || words.length < 2) {
                return new JobSetting.SystemSpecific(List.of("-W", "depend=" + text));
            }
            for (int i = 1; i < words.length; i++) {
                if (words[i].isEmpty()) {
                    throw new DirectiveSyntaxException("'" + part + "' has no job id; use for example afterok:123");
                }
                after.add(new After(when, words[i], false));
            }
        }
        return new JobSetting.Dependency(after, true);
    }

    /** Terms joined by only {@code &&} or only {@code ||}. Nested or negated expressions are specific to LSF. */
    static JobSetting lsf(final String text) {
        final JobSetting specific = new JobSetting.SystemSpecific(List.of("-w", text));
        final boolean any = text.contains("||");
        if (any && text.contains("&&")) {
            return specific;
        }
        final List<After> after = new ArrayList<>();
        for (final String part : text.split(any ? "\\|\\|" : "&&")) {
            final Matcher m = LSF_TERM.matcher(part);
            if (!m.matches()) {
                return specific;
            }
            if (m.group(3) != null) {
                after.add(new After(When.OK, m.group(3), false));
                continue;
            }
            final String name = m.group(2);
            final boolean quoted = name.startsWith("\"") || name.startsWith("'");
            final String job = quoted ? name.substring(1, name.length() - 1) : name;
            after.add(new After(
                    switch (m.group(1)) {
                        case "done" -> When.OK;
                        case "exit" -> When.NOT_OK;
                        case "started" -> When.STARTED;
                        default -> When.ENDED;
                    },
                    job,
                    !job.matches("\\d{1,10}(\\[.*\\])?")));
        }
        return after.isEmpty() ? specific : new JobSetting.Dependency(after, !any);
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
