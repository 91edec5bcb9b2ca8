package io.millrace.script.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.job.ScriptText;
import io.millrace.script.Bash;
import io.millrace.script.VariableName;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobWrapperTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "#!/bin/cat",
                "#!/bin/cat\n",
                "#!/bin/cat\n\n\n",
                "#!/bin/cat\r\n$HOME `id` $(id) \\\\ 'x' \"y\"\r\n",
                "#!/bin/cat\n#BSUB -J a[1-9]\n|x\n||y\n \n",
                "#!/bin/cat\n#BSUB -J a\nno line break at the end",
                "#!/bin/cat\nEOF\nMILLRACE_n0\nMILLRACE_n0X\n#SBATCH --uid=0\n",
                "#!/bin/cat\n\u2028#BSUB -q x\u0085ümläut \u00e9\n",
                "#!/bin/cat\n#BSUB\n\ttab\f"
            })
    void the_interpreter_reads_the_script_byte_for_byte(final String script) throws Exception {
        final String asCat = script.isEmpty() ? script : script;
        final Bash ran = Bash.run(JobWrapper.of("", asCat, "n0", "/bin/cat"), directory, Map.of());

        assertThat(ran.output()).isEqualTo(script.getBytes(StandardCharsets.UTF_8));
        assertThat(ran.status()).isZero();
    }

    /** Bash would replace or lose such bytes in another locale. */
    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "windows-1252", "KOI8-R", "Shift_JIS", "UTF-8"})
    void a_script_in_any_encoding_runs_byte_for_byte(final String charset) throws Exception {
        final byte[] script =
                "#!/bin/cat\n#BSUB -x\n# f\u00fcr dich, \u0440\u0443\u0441\u0441\u043a\u0438\u0439\nno line break at the end"
                        .getBytes(Charset.forName(charset));
        final String batch = JobWrapper.of("", ScriptText.of(script), "n0", null);

        assertThat(ScriptText.isUtf8(batch)).isTrue();
        assertThat(Bash.run(batch, directory, Map.of()).output()).isEqualTo(script);
    }

    @Test
    void a_script_of_any_characters_is_unchanged() throws Exception {
        final Random random = new Random(1);
        final String letters = "ab \t\n\n\r'\"\\$`!#|(){}<>&;*?[]~%=-_BSUB\u00e9\u2028\u0085\u0001";
        for (int i = 0; i < 25; i++) {
            final StringBuilder script = new StringBuilder("#!/bin/cat\n");
            final int length = random.nextInt(200);
            for (int c = 0; c < length; c++) {
                script.append(letters.charAt(random.nextInt(letters.length())));
                if (random.nextInt(30) == 0) {
                    script.append("\n#BSUB -x\n");
                }
            }
            final Bash ran = Bash.run(JobWrapper.of("", script.toString(), "n0", null), directory, Map.of());
            assertThat(ran.text()).as("text %d", i).isEqualTo(script.toString());
        }
    }

    @Test
    void no_line_is_a_directive_of_lsf() {
        final String wrapped =
                JobWrapper.of("", "#!/bin/sh\n#BSUB -q root\necho\n  #BSUB -x\n#BSUB -J z[1-1000]\n", "n0", null);

        assertThat(wrapped.lines()).noneMatch(line -> line.startsWith("#BSUB"));
    }

    @Test
    void the_first_command_is_before_any_directive() {
        final String wrapped = JobWrapper.of("", "#!/bin/sh\n#SBATCH --uid=0\n#PBS -q x\n", "n0", null);

        assertThat(wrapped).startsWith("#!/bin/bash\n{\n");
    }

    @Test
    void the_job_has_the_exit_status_of_its_script() throws Exception {
        assertThat(Bash.run(JobWrapper.of("", "exit 3", "n0", null), directory, Map.of())
                        .status())
                .isEqualTo(3);
        assertThat(Bash.run(JobWrapper.of("", "#!/bin/bash\nkill -9 $$\n", "n0", null), directory, Map.of())
                        .status())
                .isEqualTo(137);
    }

    @Test
    void half_a_script_runs_nothing() throws Exception {
        final String whole = JobWrapper.of("export A='x'\n", "#!/bin/bash\necho one\necho two\n", "n0", null);
        for (int cut = 0; cut < whole.length() - 2; cut++) {
            assertThat(Bash.run(whole.substring(0, cut), directory, Map.of()).text())
                    .as("cut at %d", cut)
                    .doesNotContain("one\n");
            cut += 4;
        }
    }

    @Test
    void the_interpreter_gets_one_argument_like_from_the_kernel() throws Exception {
        final String script = "#!/usr/bin/env -S bash -e\necho \"$-\" | tr -dc e\n";

        assertThat(Bash.run(JobWrapper.of("", script, "n0", null), directory, Map.of())
                        .text())
                .isEqualTo("e");
    }

    @Test
    void arguments_reach_the_script_unchanged() throws Exception {
        final List<String> arguments = List.of("a b", "it's", "", "$(touch hit)", "-c", "two\nlines", "; touch hit");

        for (final String script : List.of("#!/bin/bash\nprintf '<%s>' \"$@\"\n", "printf '<%s>' \"$@\"\n#BSUB -q x")) {
            assertThat(Bash.run(JobWrapper.of("", script, arguments, "n0", null), directory, Map.of())
                            .text())
                    .isEqualTo("<" + String.join("><", arguments) + ">");
        }
        assertThat(directory.resolve("hit")).doesNotExist();
    }

    @Test
    void a_hostile_first_line_is_not_executed() throws Exception {
        final Bash ran = Bash.run(
                JobWrapper.of("", "#!/bin/echo '; touch hit; $(touch hit) `touch hit`\n", "n0", null),
                directory,
                Map.of());

        assertThat(ran.text()).startsWith("'; touch hit; $(touch hit) `touch hit` /dev/fd/3");
        assertThat(directory.resolve("hit")).doesNotExist();
    }

    @Test
    void variable_names_are_identifiers() {
        assertThat(VariableName.isValid("OMP_NUM_THREADS")).isTrue();
        assertThat(VariableName.isValid("A;id")).isFalse();
        assertThat(VariableName.isValid("1A")).isFalse();
        assertThat(VariableName.isValid("")).isFalse();
    }
}
