package io.millrace.cli;

import io.millrace.cli.text.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Writes a man page (man(7)) and a completion file for bash for each command, from the same options as {@code --help}. The packages contain
 * them.
 */
final class ManPages {

    private final String version;
    private final List<String> lines = new ArrayList<>();

    private ManPages(final String version) {
        this.version = version;
    }

    /** @param arguments the folder for {@code man1} and {@code completions}, and the version for the footer */
    public static void main(final String... arguments) throws IOException {
        final Path man = Files.createDirectories(Path.of(arguments[0], "man1"));
        final Path completions = Files.createDirectories(Path.of(arguments[0], "completions"));
        for (final String name : Main.NAMES) {
            final Terminal terminal = Terminal.of(Map.of());
            final CommandLine command = Main.commandLine(Main.command(name, terminal), terminal);
            Files.writeString(man.resolve(name + ".1"), page(command.getCommandSpec(), arguments[1]));
            Files.writeString(completions.resolve(name), AutoComplete.bash(name, command));
        }
    }

    static String page(final CommandSpec command, final String version) {
        final ManPages page = new ManPages(version);
        page.add(command);
        return String.join("\n", page.lines) + "\n";
    }

    private void add(final CommandSpec command) {
        final String name = command.name();
        final UsageMessageSpec usage = command.usageMessage();
        lines.add(".TH " + name.toUpperCase(Locale.ROOT) + " 1 \"\" \"Millrace " + version + "\" \"Millrace\"");
        heading("NAME");
        final String summary = plain(String.join(" ", usage.description())).replaceFirst("(?s)[.;:] .*|\\.$", "");
        lines.add(text(name) + " \\- " + text(summary));
        heading("SYNOPSIS");
        lines.add(".B " + text(name));
        lines.add(
                text(plain(command.commandLine().getHelp().synopsis(0)).strip().replaceFirst("^" + name + " ?", "")));
        heading("DESCRIPTION");
        paragraphs(usage.description());
        options(command);
        command.subcommands().values().forEach(sub -> {
            final CommandSpec inner = sub.getCommandSpec();
            heading("SUBCOMMAND " + inner.name().toUpperCase(Locale.ROOT));
            lines.add(text(plain(sub.getHelp().synopsis(0)).strip()));
            lines.add(".PP");
            paragraphs(inner.usageMessage().description());
            parameters(inner);
        });
        if (!usage.exitCodeList().isEmpty()) {
            heading("EXIT STATUS");
            usage.exitCodeList().forEach((code, meaning) -> item(code, plain(meaning)));
        }
        if (usage.footer().length > 0) {
            heading("NOTES");
            paragraphs(usage.footer());
        }
        heading("FILES");
        item("~/.config/millrace/config, /etc/millrace/config", "the URL of the service and other settings");
    }

    private void options(final CommandSpec command) {
        if (!command.options().isEmpty() || !command.positionalParameters().isEmpty()) {
            heading("OPTIONS");
            parameters(command);
        }
    }

    private void parameters(final CommandSpec command) {
        for (final PositionalParamSpec one : command.positionalParameters()) {
            if (!one.hidden()) {
                item(one.paramLabel(), plain(String.join(" ", one.description())));
            }
        }
        for (final OptionSpec one : command.options()) {
            if (!one.hidden()) {
                final String value = one.arity().max() > 0 ? " " + one.paramLabel() : "";
                item(String.join(", ", one.names()) + value, plain(String.join(" ", one.description())));
            }
        }
    }

    private void heading(final String title) {
        lines.add(".SH " + title);
    }

    private void item(final String term, final String meaning) {
        lines.add(".TP");
        lines.add(".B " + text(term));
        lines.add(text(meaning));
    }

    private void paragraphs(final String... all) {
        for (final String one : all) {
            lines.add(text(plain(one)));
            lines.add(".PP");
        }
    }

    /** Without picocli's markup and format characters. */
    private static String plain(final String markup) {
        return Ansi.OFF.string(String.format(markup.replaceAll("%(?![n%])", "%%")));
    }

    /** For roff: no line begins with a request, and hyphens stay hyphens that can be copied. */
    private static String text(final String plain) {
        return plain.replace("\\", "\\e")
                .replace("-", "\\-")
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
                .reduce((one, next) -> one + "\n" + next)
                .orElse("");
    }
}
