package io.millrace.quota;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each rule of the guides is named in the code and in a test. */
class RuleNumbersTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern IN_A_TABLE = Pattern.compile("(?m)^\\| Q-(\\d+)() \\|");
    private static final Pattern NAMED = Pattern.compile("\\bQ-(\\d+)(?: to Q-(\\d+))?\\b");
    private static final Pattern SOURCES = Pattern.compile("(?:target|node_modules|\\..+)");

    private static Set<String> rules() throws IOException {
        final Set<String> rules = rules(IN_A_TABLE, Files.readString(ROOT.resolve("docs/guide/quota.md")));
        rules.addAll(rules(IN_A_TABLE, Files.readString(ROOT.resolve("docs/guide/priority.md"))));
        return rules;
    }

    @Test
    void every_rule_of_the_guide_is_named_in_the_code() throws IOException {
        assertThat(named("src/main/java")).containsAll(rules());
    }

    @Test
    void every_rule_of_the_guide_is_named_by_a_test() throws IOException {
        assertThat(named("src/test/java")).containsAll(rules());
    }

    private static Set<String> named(final String sources) throws IOException {
        final Set<String> named = inOrder();
        for (final Path folder : folders(sources)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .map(RuleNumbersTest::read)
                        .forEach(text -> named.addAll(rules(NAMED, text)));
            }
        }
        return named;
    }

    /** The source folders of all modules, which are at most two folders deep. */
    private static List<Path> folders(final String sources) throws IOException {
        try (Stream<Path> modules = Files.walk(ROOT, 2)) {
            return modules.filter(not(module ->
                            SOURCES.matcher(module.getFileName().toString()).matches()))
                    .map(module -> module.resolve(sources))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    private static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code } names five rules. */
    private static Set<String> rules(final Pattern pattern, final String text) {
        final Set<String> rules = inOrder();
        pattern.matcher(text).results().forEach(match -> range(match).forEach(rule -> rules.add("Q-" + rule)));
        return rules;
    }

    private static IntStream range(final MatchResult match) {
        final int from = Integer.parseInt(match.group(1));
        final String to = match.group(2);
        return IntStream.rangeClosed(from, to == null || to.isEmpty() ? from : Integer.parseInt(to));
    }

    private static Set<String> inOrder() {
        return new TreeSet<>(Comparator.comparingInt(rule -> Integer.parseInt(rule.substring(2))));
    }
}
