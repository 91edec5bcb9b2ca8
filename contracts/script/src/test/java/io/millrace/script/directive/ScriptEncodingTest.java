package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.job.ScriptText;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptEncodingTest {

    /** As {@code sbatch} does, wherever such a line is. */
    @ParameterizedTest
    @CsvSource({
        "'#!/bin/bash\r\n#SBATCH -t 10 -n 2\r\necho x > x.ran\r\n', 1",
        "'#!/bin/bash\n#SBATCH -t 10 -n 2\necho x > x.ran\r\n', 3",
        "'#!/bin/bash\n#SBATCH -t 10 -n 2\r\necho x > x.ran\n', 2",
        "'#!/bin/bash\n#PBS -l walltime=10\n\ncat <<EOF\na\r\nEOF\n', 5",
        "'#!/bin/bash\n\r\ntrue\n', 2",
        "'#!/bin/bash\ntrue\r', 2"
    })
    void windows_line_breaks_are_refused(final String script, final int line) {
        assertThat(ScriptParser.read(script).problems()).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(line);
            assertThat(problem.toString()).contains("Windows", "dos2unix").doesNotContain("\r");
        });
    }

    @Test
    void macintosh_line_breaks_are_refused() {
        assertThat(ScriptParser.read("#!/bin/bash\r#SBATCH -n 2\rtrue\r").problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("line 1", "carriage return"));
    }

    @Test
    void a_carriage_return_within_a_line_is_part_of_the_script() {
        assertThat(ScriptParser.read("#!/bin/bash\nprintf 'a\rb'\n").problems()).isEmpty();
    }

    @Test
    void a_byte_order_mark_is_named() {
        final byte[] utf8 = "\uFEFF#!/bin/bash\n#SBATCH -n 2\n".getBytes(StandardCharsets.UTF_8);
        assertThat(ScriptParser.read(ScriptText.of(utf8)).problems())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.toString()).contains("line 1", "byte order mark", "'#!/bin/bash'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE"})
    void utf_16_is_named(final String charset) {
        final String mark = charset.equals("UTF-16") ? "" : "\uFEFF";
        final byte[] script = (mark + "#!/bin/bash\n").getBytes(Charset.forName(charset));
        assertThat(ScriptParser.read(ScriptText.of(script)).problems())
                .anySatisfy(problem -> assertThat(problem.toString()).contains("UTF-16", "iconv"));
    }

    @Test
    void a_comment_in_latin_1_is_no_fault() {
        final byte[] script =
                "#!/bin/bash\n#SBATCH -t 10 -n 3\n# f\u00fcr dich\ntrue\n".getBytes(StandardCharsets.ISO_8859_1);
        final ParsedScript read = ScriptParser.read(ScriptText.of(script));
        assertThat(read.problems()).isEmpty();
        assertThat(read.request().cores()).isEqualTo(3);
    }

    @Test
    void a_directive_in_latin_1_is_refused_because_its_value_is_a_name_elsewhere() {
        final byte[] script = "#!/bin/bash\n#SBATCH -J f\u00fcr\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(ScriptParser.read(ScriptText.of(script)).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("line 2", "UTF-8"));
    }
}
