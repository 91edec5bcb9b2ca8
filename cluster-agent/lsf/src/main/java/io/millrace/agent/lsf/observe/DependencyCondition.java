package io.millrace.agent.lsf.observe;

import io.millrace.agent.lsf.query.ListedJob;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a dependency condition ({@code bsub -w}) with the listed jobs: {@code done(12) && (ended("prepare*") || !started(13))}. The pending
 * reason does not show it while the queue is inactive. A term about a job that is not listed, or that the list does not tell, is unknown.
 */
final class DependencyCondition {

    private static final int MAX_LENGTH = 4096;
    private static final int MAX_DEPTH = 64;

    private final String text;
    private final ListedJob job;
    private final Collection<ListedJob> jobs;
    private int at;
    private int depth;

    private DependencyCondition(final String text, final ListedJob job, final Collection<ListedJob> jobs) {
        this.text = text;
        this.job = job;
        this.jobs = jobs;
    }

    /**
     * @param job the job with the condition
     * @param jobs all listed jobs
     * @return empty if unknown
     */
    static Optional<Boolean> isMet(final ListedJob job, final Collection<ListedJob> jobs) {
        final String text = job.request().dependency();
        if (text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        final DependencyCondition condition = new DependencyCondition(text, job, jobs);
        try {
            final @Nullable Boolean met = condition.any();
            return condition.peek() == 0 ? Optional.ofNullable(met) : Optional.empty();
        } catch (final IllegalArgumentException e) {
            return Optional.empty(); // a form that is not known here
        }
    }

    private @Nullable Boolean any() {
        @Nullable Boolean met = all();
        while (skip("||")) {
            final @Nullable Boolean other = all();
            met = Boolean.TRUE.equals(met) || Boolean.TRUE.equals(other)
                    ? Boolean.TRUE
                    : met == null || other == null ? null : Boolean.FALSE;
        }
        return met;
    }

    private @Nullable Boolean all() {
        @Nullable Boolean met = term();
        while (skip("&&")) {
            final @Nullable Boolean other = term();
            met = Boolean.FALSE.equals(met) || Boolean.FALSE.equals(other)
                    ? Boolean.FALSE
                    : met == null || other == null ? null : Boolean.TRUE;
        }
        return met;
    }

    private @Nullable Boolean term() {
        if (++depth > MAX_DEPTH) {
            throw new IllegalArgumentException("nested too deeply");
        }
        final @Nullable Boolean met;
        if (skip("!")) {
            final @Nullable Boolean negated = term();
            met = negated == null ? null : !negated;
        } else if (skip("(")) {
            met = any();
            expect(")");
        } else {
            met = test();
        }
        depth--;
        return met;
    }

    /** {@code done(12)}, {@code exit("a job", > 2)}, or a job alone, which means done. */
    private @Nullable Boolean test() {
        final boolean quoted = peek() == '"';
        final String word = word();
        if (quoted || !skip("(")) {
            return isTrue("done", word, quoted, false);
        }
        final boolean quotedName = peek() == '"';
        final String name = word();
        final boolean withValue = skip(",");
        if (withValue) {
            at = Math.max(at, text.indexOf(')', at));
        }
        expect(")");
        return isTrue(word, name, quotedName, withValue);
    }

    private @Nullable Boolean isTrue(
            final String test, final String name, final boolean quoted, final boolean withValue) {
        final List<ListedJob> meant = jobs.stream().filter(meant(name, quoted)).toList();
        if (meant.isEmpty()) {
            return null;
        }
        final List<Optional<Boolean>> each =
                meant.stream().map(other -> isTrue(test, other, withValue)).toList();
        if (each.stream().distinct().count() == 1) {
            return each.getFirst().orElse(null);
        }
        // All tasks of an array must be done; of several jobs with the name, JOB_DEP_LAST_SUB decides which counts.
        final boolean tasks = meant.stream().allMatch(other -> other.index() > 0);
        return tasks && (test.equals("done") || test.equals("ended")) ? Boolean.FALSE : null;
    }

    private Predicate<ListedJob> meant(final String name, final boolean quoted) {
        if (!quoted && name.matches("\\d+")) {
            return other -> other.id().equals(name) || other.id().startsWith(name + "[");
        }
        if (!quoted && name.matches("\\d+\\[\\d+]")) {
            return other -> other.id().equals(name);
        }
        if (!quoted && name.matches("\\d+\\[\\*]")) {
            final String id = name.substring(0, name.indexOf('['));
            return other -> job.index() > 0 && other.id().equals(id + "[" + job.index() + "]");
        }
        final Predicate<ListedJob> named = name.endsWith("*")
                ? other -> other.name().startsWith(name.substring(0, name.length() - 1))
                : other -> other.name().equals(name);
        return named.and(other -> other.heading().user().equals(job.heading().user()))
                .and(other -> !other.id().equals(job.id()));
    }

    private static Optional<Boolean> isTrue(final String test, final ListedJob other, final boolean withValue) {
        final boolean exited = other.status().equals("EXIT");
        return switch (test) {
            case "done" -> Optional.of(other.status().equals("DONE"));
            case "ended" -> Optional.of(other.hasEnded());
            case "exit" -> exited && withValue ? Optional.empty() : Optional.of(exited);
            case "started" -> Optional.of(!other.isWaiting());
            case "post_done", "post_err" -> other.hasEnded() ? Optional.empty() : Optional.of(false);
            default -> Optional.empty();
        };
    }

    // ---- characters

    /** A quoted name, or a word up to a blank, a parenthesis, a comma or an operator. */
    private String word() {
        final int from;
        if (peek() == '"') {
            from = at + 1;
            at = text.indexOf('"', from);
            if (at < 0) {
                throw new IllegalArgumentException("no closing quote");
            }
            return text.substring(from, at++);
        }
        from = at;
        while (at < text.length() && " \t(),&|!\"".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (at == from) {
            throw new IllegalArgumentException("no name at " + from);
        }
        return text.substring(from, at);
    }

    private boolean skip(final String token) {
        peek();
        final boolean found = text.startsWith(token, at);
        at += found ? token.length() : 0;
        return found;
    }

    private void expect(final String token) {
        if (!skip(token)) {
            throw new IllegalArgumentException("no '" + token + "' at " + at);
        }
    }

    /** The next character that is not a blank; 0 at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }
}
