package io.millrace.docs;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The classes that the walk of one job names exist. */
class WalkTest {

    private static final Pattern SECTION = Pattern.compile("(?s)\n## A job from `mgsub` to its end\n(.*?)\n## ");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w+)`");

    @Test
    void the_classes_of_the_walk_exist() {
        final String page = SourceTree.read(SourceTree.ROOT.resolve("docs/ARCHITECTURE.md"));
        final List<String> walk = SECTION.matcher(page)
                .results()
                .flatMap(section -> CLASS.matcher(section.group(1)).results())
                .map(MatchResult::group)
                .map(name -> name.replace("`", ""))
                .toList();
        final Set<String> classes =
                SourceTree.files(path -> path.endsWith(".java") && path.contains("/src/main/")).stream()
                        .map(path -> path.getFileName().toString().replace(".java", ""))
                        .collect(toSet());
        assertThat(walk).hasSizeGreaterThan(30).allMatch(classes::contains);
    }
}
