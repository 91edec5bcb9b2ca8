package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.text.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The man pages and completions of the packages. */
class ManPagesTest {

    @Test
    void every_command_has_a_page_with_all_its_options(@TempDir final Path folder) throws Exception {
        ManPages.main(folder.toString(), "1.0");
        for (final String name : Main.NAMES) {
            final String page = Files.readString(folder.resolve("man1/" + name + ".1"));
            final CommandLine command =
                    Main.commandLine(Main.command(name, Terminal.of(Map.of())), Terminal.of(Map.of()));
            assertThat(page).as(name).startsWith(".TH ").contains(".SH SYNOPSIS");
            for (final OptionSpec option : command.getCommandSpec().options()) {
                if (!option.hidden()) {
                    assertThat(page).as(name).contains(option.longestName().replace("-", "\\-"));
                }
            }
            assertThat(Files.readString(folder.resolve("completions/" + name)))
                    .as(name)
                    .contains("complete ")
                    .contains(name);
        }
    }

    /** A line that begins with a dot would be a request to roff. */
    @Test
    void only_the_requests_of_the_page_begin_with_a_dot() {
        final CommandLine command =
                Main.commandLine(Main.command("mgsub", Terminal.of(Map.of())), Terminal.of(Map.of()));
        assertThat(ManPages.page(command.getCommandSpec(), "1.0").lines())
                .filteredOn(line -> line.startsWith(".") || line.startsWith("'"))
                .allMatch(line -> line.matches("\\.(TH|SH|TP|PP|B)( .*)?"));
    }
}
