package io.millrace.agent.skeleton;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every file that the adapter author guide shows is a file of this module, word for word. */
class GuideTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern SHOWN =
            Pattern.compile("(?s)<!-- file: (?<file>\\S+) -->\\n```\\w+\\n(?<text>.*?)```\\n");

    @Test
    void the_guide_shows_the_files_of_the_skeleton() throws IOException {
        final Matcher shown = SHOWN.matcher(Files.readString(ROOT.resolve("docs/guide/adapter-author.md")));
        final List<String> files = new ArrayList<>();
        while (shown.find()) {
            final String file = shown.group("file");
            files.add(file);
            assertThat(shown.group("text")).as(file).isEqualTo(Files.readString(ROOT.resolve(file)));
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(4);
    }
}
