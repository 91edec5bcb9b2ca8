package io.millrace.script;

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

/** What a job waits for, in the three languages. */
final class Dependencies {

    private static final Pattern LSF_TERM = Pattern.compile(
            "\\s*(?:(done|ended|exit|started)\\s*\\(\\s*(\"[^\"]*\"|'[^']*'|[^()\\s\"']+)\\s*\\)|(\\d{1,10}(?:\\[[^\\]]*\\])?))\\s*");

    private Dependencies() {}

    /** {@code afterok:1:2,afterany:3} (all) or with question marks (any of them); the rest only Slurm itself has. */
    static JobSetting slurm(final String text) throws DirectiveSyntaxException {
        final boolean any = text.contains("?");
        final JobSetting own = new JobSetting.SystemSpecific(List.of("--dependency=" + text));
        if (any && text.contains(",")) {
            throw new DirectiveSyntaxException("commas (all) and question marks (any) cannot be mixed");
        }
        final List<After> after = new ArrayList<>();
        for (final String part : text.split("[,?]")) {
            if (part.equals("singleton")) {
                after.add(new After(When.SINGLETON, "", false));
                continue;
            }
            final String[] words = part.split(":");
            if (words.length < 2) {
                throw new DirectiveSyntaxException("'" + part + "' names no job; write e.g. afterok:123");
            }
            final When when = when(words[0]);
            if (when == null) {
                return own;
            }
            for (int i = 1; i < words.length; i++) {
                if (words[i].contains("+") || any && words.length > 2) { // all of these, or one of those
                    return own;
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
            default -> null;
        };
    }

    /** {@code afterok:1.server:2,afterany:3}: all of them. */
    static JobSetting pbs(final String text) throws DirectiveSyntaxException {
        final List<After> after = new ArrayList<>();
        for (final String part : text.split(",")) {
            final String[] words = part.split(":");
            final When when = when(words[0]);
            if (when == null || words.length < 2) {
                return new JobSetting.SystemSpecific(List.of("-W", "depend=" + text));
            }
            for (int i = 1; i < words.length; i++) {
                if (words[i].isEmpty()) {
                    throw new DirectiveSyntaxException("'" + part + "' names no job; write e.g. afterok:123");
                }
                after.add(new After(when, words[i], false));
            }
        }
        return new JobSetting.Dependency(after, true);
    }

    /** Terms joined by only {@code &&} or only {@code ||}; what is nested or negated only LSF itself has. */
    static JobSetting lsf(final String text) {
        final JobSetting own = new JobSetting.SystemSpecific(List.of("-w", text));
        final boolean any = text.contains("||");
        if (any && text.contains("&&")) {
            return own;
        }
        final List<After> after = new ArrayList<>();
        for (final String part : text.split(any ? "\\|\\|" : "&&")) {
            final Matcher m = LSF_TERM.matcher(part);
            if (!m.matches()) {
                return own;
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
        return after.isEmpty() ? own : new JobSetting.Dependency(after, !any);
    }

    /** For Slurm and PBS, whose words are the same; {@code afterok:1:2,afterany:3}. */
    static String chain(final JobSetting.Dependency wish, final String separator) {
        if (!wish.all()) {
            // Ids behind one word must all come true, so each stands for itself.
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
            case SINGLETON -> "singleton";
        };
    }

    static String forLsf(final JobSetting.Dependency wish) {
        return wish.after().stream()
                .map(after -> switch (after.when()) {
                            case STARTED -> "started";
                            case OK -> "done";
                            case NOT_OK -> "exit";
                            case ENDED, SINGLETON -> "ended";
                        }
                        + "(" + (after.byName() ? "\"" + after.job() + "\"" : after.job()) + ")")
                .collect(Collectors.joining(wish.all() ? " && " : " || "));
    }
}
