package io.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Limits how often documentation, messages and comments use words that indicate unidiomatic English. A marker is a hint: some uses are
 * correct, which is why the limits are not zero. The man pages of Slurm have 0.5 per 1,000 words.
 */
class LanguageTest {

    private static final Pattern MARKER = Pattern.compile(
            "\\b(nobody|somebody|whoever|whom|anew|stands?|gives? way|give way|told|tells?|said|says?|lies|lie|very same|but for"
                    + "|none but|begun|ask(?:s|ed) for|of (?:its|their|his) own|is no \\w+|by what|whose)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern WORD = Pattern.compile("[A-Za-z']+");
    private static final Pattern STRING = Pattern.compile("\"([^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+)\"");
    private static final Pattern COMMENT = Pattern.compile("/\\*\\*?(.*?)\\*/|//([^\\n]*)", Pattern.DOTALL);
    private static final Pattern INLINE_TAG = Pattern.compile("\\{@\\w+ [^}]*\\}");

    /** The text of one file that a limit applies to. */
    private record Text(Path file, String text) {

        long markers() {
            return MARKER.matcher(text).results().count();
        }

        long words() {
            return WORD.matcher(text).results().count();
        }
    }

    @Test
    void documentation_is_plain_english() {
        check("documentation", 2.0, "", ".md", Function.identity());
    }

    @Test
    void messages_are_plain_english() {
        check("messages", 2.0, "/src/main/", ".java", LanguageTest::strings);
    }

    @Test
    void comments_are_plain_english() {
        check("comments", 3.0, "/src/main/", ".java", LanguageTest::comments);
    }

    private static void check(
            final String what,
            final double limit,
            final String folder,
            final String extension,
            final Function<String, String> part) {
        final List<Text> texts = SourceTree.files(path -> path.contains(folder) && path.endsWith(extension)).stream()
                .map(file -> new Text(file, part.apply(SourceTree.read(file))))
                .toList();
        final long words = texts.stream().mapToLong(Text::words).sum();
        final double rate = 1000.0 * texts.stream().mapToLong(Text::markers).sum() / words;
        System.out.printf("%s: %.1f markers per 1,000 words of %d%n", what, rate, words);
        assertThat(rate)
                .as(() -> "markers per 1,000 words of " + what + "; rewrite these places:\n" + worst(texts))
                .isLessThanOrEqualTo(limit);
    }

    private static String strings(final String code) {
        return STRING.matcher(code)
                .results()
                .map(found -> found.group(1))
                .filter(text -> text.length() >= 12 && text.contains(" "))
                .collect(Collectors.joining(" "));
    }

    private static String comments(final String code) {
        final List<String> comments = new ArrayList<>();
        COMMENT.matcher(code)
                .results()
                .forEach(found -> comments.add(found.group(1) == null ? found.group(2) : found.group(1)));
        return INLINE_TAG.matcher(String.join(" ", comments)).replaceAll(" ");
    }

    /** The ten files with the most markers, and their markers. */
    private static String worst(final List<Text> texts) {
        return texts.stream()
                .sorted(Comparator.comparingLong(Text::markers).reversed())
                .limit(10)
                .map(text -> "  " + SourceTree.ROOT.relativize(text.file()) + ": "
                        + MARKER.matcher(text.text())
                                .results()
                                .map(MatchResult::group)
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("\n"));
    }
}
