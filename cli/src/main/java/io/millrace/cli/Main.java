package io.millrace.cli;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.priority.Mgprio;
import io.millrace.cli.quota.Mgquota;
import io.millrace.cli.quota.Mgusage;
import io.millrace.cli.text.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Runs a command. The first argument is the command's name; the launcher passes the name under which it was called. */
public final class Main {

    private static final String NAMES =
            "mgsub, mgstat, mgstop, mghold, mgrelease, mgalter, mgwait, mgprio, mgquota, mgusage, mghandler, findavl, mglogin";

    private Main() {}

    public static void main(final String[] arguments) {
        // Always UTF-8: file names and job names do not depend on the locale.
        final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        final PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.setOut(out);
        System.setErr(err);
        final int exit = run(arguments);
        out.flush();
        if (Boolean.getBoolean("millrace.first.start")) {
            ClassSharingWarmUp.loadUsualClasses();
        }
        System.exit(exit);
    }

    static int run(final String[] arguments) {
        if (arguments.length == 0) {
            System.err.println("missing command; use one of: " + NAMES);
            return ExitCode.USAGE;
        }
        final Terminal terminal = Terminal.of(System.getenv());
        final Callable<Integer> command = switch (arguments[0]) {
            case "mgsub" -> new Mgsub(terminal);
            case "mgstat" -> new Mgstat(terminal);
            case "mgstop" -> new Mgstop(terminal);
            case "mghold" -> new Mghold(terminal);
            case "mgrelease" -> new Mgrelease(terminal);
            case "mgalter" -> new Mgalter();
            case "mgwait" -> new Mgwait(terminal);
            case "mgquota" -> new Mgquota(terminal);
            case "mgusage" -> new Mgusage(terminal);
            case "mgprio" -> new Mgprio(terminal);
            case "mghandler" -> new Mghandler(terminal);
            case "findavl" -> new Findavl(terminal);
            case "mglogin" -> new Mglogin(terminal);
            default -> null;
        };
        if (command == null) {
            System.err.println("unknown command '" + arguments[0] + "'; use one of: " + NAMES);
            return ExitCode.USAGE;
        }
        return commandLine(command, terminal).execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    /** A command with subcommands. */
    public interface CommandGroup {
        List<Callable<Integer>> subcommands();
    }

    static CommandLine commandLine(final Callable<Integer> command, final Terminal terminal) {
        final CommandLine line = new CommandLine(command);
        if (command instanceof CommandGroup several) {
            several.subcommands().forEach(line::addSubcommand);
        }
        return line.setColorScheme(CommandLine.Help.defaultColorScheme(
                        terminal.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setExecutionExceptionHandler(Main::failed)
                .setParameterExceptionHandler(Main::misused)
                .setUsageHelpAutoWidth(false)
                .setUnmatchedOptionsAllowedAsOptionParameters(false);
    }

    private static int failed(final Exception e, final CommandLine command, final CommandLine.ParseResult parsed) {
        if (e instanceof CommandException failure) {
            System.err.println(name(command) + ": " + failure.getMessage());
            return failure.exitCode();
        }
        System.err.println(command.getCommandSpec().qualifiedName() + ": internal error: " + e);
        for (final StackTraceElement line : e.getStackTrace()) {
            System.err.println("    at " + line);
        }
        return ExitCode.FAILED;
    }

    private static String name(final CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    private static int misused(final CommandLine.ParameterException e, final String[] arguments) {
        final String name = name(e.getCommandLine());
        System.err.println(name + ": " + e.getMessage() + "; see " + name + " --help");
        return ExitCode.USAGE;
    }
}
