package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandScriptTest {

    @TempDir
    Path folder;

    @Test
    void a_shell_passes_every_argument_unchanged() throws Exception {
        final List<String> nasty = List.of(
                "plain",
                "",
                " ",
                "two words",
                "it's",
                "'",
                "''",
                "\"",
                "$HOME",
                "`id`",
                "$(id)",
                "\\",
                "\\'",
                "a\\nb",
                "new\nline",
                "tab\there",
                "*",
                "?",
                "[a-z]",
                "~",
                "~root",
                "!",
                "!!",
                "#",
                ";",
                "&",
                "|",
                ">x",
                "<x",
                "2>&1",
                "-n",
                "--",
                "A=B",
                "{a,b}",
                "ünïcödé 作业 🚀",
                "\u0001",
                "\r",
                "trailing\n");

        assertThat(run(nasty)).isEqualTo(nasty);
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void carriage_returns_are_escaped_because_scripts_with_windows_line_breaks_are_refused() throws Exception {
        final List<String> words = List.of("a\r\nb", "\r", "it's\r\r'\n");

        assertThat(run(words)).isEqualTo(words);
        assertThat(CommandScript.of(words)).doesNotContain("\r");
    }

    @Test
    void the_program_name_may_contain_spaces_and_quotes() throws Exception {
        final Path program = Files.writeString(folder.resolve("it's a $program"), "#!/bin/sh\necho done: $1\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();

        assertThat(output(CommandScript.of(List.of(program.toString(), "a  b"))))
                .isEqualTo("done: a b\n");
    }

    /** The arguments as a program receives them; printf repeats its format for each, terminated by a zero byte. */
    private List<String> run(final List<String> words) throws Exception {
        final List<String> argv = new ArrayList<>(List.of("printf", "%s\\0"));
        argv.addAll(words);
        final String[] seen = output(CommandScript.of(argv)).split("\0", -1);
        assertThat(seen[seen.length - 1]).isEmpty();
        return List.of(seen).subList(0, seen.length - 1);
    }

    private String output(final String script) throws IOException, InterruptedException {
        final Path file = Files.writeString(folder.resolve("script"), script);
        final Process shell = new ProcessBuilder("/bin/sh", file.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        final String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(out).isZero();
        return out;
    }
}
