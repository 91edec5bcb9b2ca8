package io.millrace.cli;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.classes.Mgclass;
import io.millrace.cli.files.Mgpeek;
import io.millrace.cli.files.Mgtail;
import io.millrace.cli.priority.Mgprio;
import io.millrace.cli.quota.Mgbudget;
import io.millrace.cli.quota.Mgquota;
import io.millrace.cli.quota.Mgusage;
import io.millrace.cli.slurm.Sacct;
import io.millrace.cli.slurm.Scancel;
import io.millrace.cli.slurm.Scontrol;
import io.millrace.cli.slurm.Seff;
import io.millrace.cli.slurm.Sinfo;
import io.millrace.cli.slurm.Sprio;
import io.millrace.cli.slurm.Squeue;
import io.millrace.cli.slurm.Sshare;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs a command. The first argument is the command's name; the launcher passes the name under which it was called. */
public final class Main {

    static final List<String> NAMES = List.of(
            "mgsub",
            "mgstat",
            "mgstop",
            "mghold",
            "mgrelease",
            "mgalter",
            "mgtail",
            "mgpeek",
            "mgwait",
            "mgprio",
            "mgclass",
            "mgquota",
            "mgbudget",
            "mgusage",
            "mghandler",
            "mgcluster",
            "mguser",
            "findavl",
            "mglogin");

    /** The commands of Slurm, for users and programs that know them. */
    static final List<String> SLURM =
            List.of("sbatch", "squeue", "scancel", "sinfo", "sacct", "scontrol", "sprio", "sshare", "seff");

    /** The words by which programs recognise that a retry can help. */
    private static final String UNREACHABLE = "Unable to contact slurm controller (connect failure): ";

    /** Instead of a command: the launcher makes the cache for faster starts. */
    private static final String TRAINING = "--training";

    private Main() {}

    public static void main(final String[] arguments) {
        // Always UTF-8: file names and job names do not depend on the locale.
        final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        final PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        System.setOut(out);
        System.setErr(err);
        final int exit = run(arguments);
        out.flush();
        err.flush();
        if (arguments.length > 0 && arguments[0].equals(TRAINING)) {
            System.exit(exit); // writes the cache
        }
        // System.exit loads the logging of the JVM to tell that it is called, which costs a tenth of the processor time
        // of a command.
        Runtime.getRuntime().halt(exit);
    }

    static int run(final String[] arguments) {
        if (arguments.length == 0) {
            Printer.err("missing command; use one of: " + String.join(", ", NAMES));
            return ExitCode.USAGE;
        }
        if (arguments[0].equals(TRAINING)) {
            return trained();
        }
        final Terminal terminal = Terminal.of(System.getenv());
        if (!NAMES.contains(arguments[0]) && !SLURM.contains(arguments[0])) {
            Printer.err("unknown command '" + arguments[0] + "'; use one of: " + String.join(", ", NAMES));
            return ExitCode.USAGE;
        }
        return run(command(arguments[0], terminal), terminal, Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    static int run(final Callable<Integer> command, final Terminal terminal, final String... words) {
        final CommandLine line = commandLine(command, terminal);
        try {
            return line.execute(
                    command instanceof Mgsub mgsub ? mgsub.withoutSbatchOptions(line.getCommandSpec(), words) : words);
        } catch (final CommandException e) {
            return failed(e, line);
        }
    }

    private static int trained() {
        try {
            StartupTraining.run(Stream.concat(NAMES.stream(), SLURM.stream()).toList());
            return ExitCode.OK;
        } catch (IOException | CommandException e) {
            Printer.err("the training for faster starts failed: " + e.getMessage());
            return ExitCode.FAILED;
        }
    }

    static Callable<Integer> command(final String name, final Terminal terminal) {
        return switch (name) {
            case "mgsub" -> new Mgsub(terminal, System.getenv());
            case "mgstat" -> new Mgstat(terminal);
            case "mgstop" -> new Mgstop(terminal);
            case "mghold" -> new Mghold(terminal);
            case "mgrelease" -> new Mgrelease(terminal);
            case "mgalter" -> new Mgalter();
            case "mgtail" -> new Mgtail();
            case "mgpeek" -> new Mgpeek();
            case "mgwait" -> new Mgwait(terminal);
            case "mgquota" -> new Mgquota(terminal);
            case "mgbudget" -> new Mgbudget(terminal);
            case "mgusage" -> new Mgusage(terminal);
            case "mgprio" -> new Mgprio(terminal);
            case "mgclass" -> new Mgclass(terminal);
            case "mghandler" -> new Mghandler(terminal);
            case "mgcluster" -> new Mgcluster();
            case "mguser" -> new Mguser();
            case "findavl" -> new Findavl(terminal);
            case "mglogin" -> new Mglogin(terminal);
            case "sbatch" -> new Sbatch(terminal, System.getenv());
            case "squeue" -> new Squeue(System.getenv());
            case "scancel" -> new Scancel(System.getenv());
            case "sinfo" -> new Sinfo(System.getenv());
            case "sacct" -> new Sacct(System.getenv());
            case "scontrol" -> new Scontrol(System.getenv());
            case "sprio" -> new Sprio(System.getenv());
            case "sshare" -> new Sshare(System.getenv());
            case "seff" -> new Seff(System.getenv());
            default -> throw new IllegalArgumentException("there is no command '" + name + "'");
        };
    }

    static CommandLine commandLine(final Callable<Integer> command, final Terminal terminal) {
        final CommandLine line = new CommandLine(command);
        if (command instanceof CommandGroup several) {
            several.subcommands().forEach(line::addSubcommand);
        }
        if (SLURM.contains(line.getCommandName())) {
            // As for getopt: the last of repeated options counts, and options may be abbreviated.
            line.setOverwrittenOptionsAllowed(true)
                    .setAbbreviatedOptionsAllowed(true)
                    .setExpandAtFiles(false);
        }
        if (command instanceof Mgsub) {
            // What follows the script or the command is for it, even if it looks like an option or a file of options.
            // As
            // for sbatch, the last of repeated options counts.
            line.setStopAtPositional(true).setExpandAtFiles(false).setOverwrittenOptionsAllowed(true);
        }
        return line.setColorScheme(CommandLine.Help.defaultColorScheme(
                        terminal.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setExecutionExceptionHandler(Main::failed)
                .setParameterExceptionHandler(Main::misused)
                .setUsageHelpAutoWidth(false)
                .setUnmatchedOptionsAllowedAsOptionParameters(SLURM.contains(line.getCommandName())); // squeue -S -i
    }

    private static int failed(final Exception e, final CommandLine command, final CommandLine.ParseResult parsed) {
        if (e instanceof CommandException failure) {
            return failed(failure, command);
        }
        Printer.err(command.getCommandSpec().qualifiedName() + ": internal error: " + e);
        for (final StackTraceElement line : e.getStackTrace()) {
            Printer.err("    at " + line);
        }
        return ExitCode.FAILED;
    }

    private static int failed(final CommandException failure, final CommandLine command) {
        if (isOfSlurm(command)) {
            Printer.errBlock(name(command) + ": error: "
                    + (failure.exitCode() == ExitCode.UNREACHABLE ? UNREACHABLE : "")
                    + (command.getCommand() instanceof Sbatch ? "Batch job submission failed: " : "")
                    + failure.getMessage());
            return ExitCode.FAILED;
        }
        Printer.errBlock(name(command) + ": " + failure.getMessage());
        return failure.exitCode();
    }

    private static boolean isOfSlurm(final CommandLine command) {
        return SLURM.contains(name(command));
    }

    private static String name(final CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    private static int misused(final CommandLine.ParameterException e, final String[] arguments) {
        final String name = name(e.getCommandLine());
        if (isOfSlurm(e.getCommandLine())) {
            Printer.errBlock(
                    name + ": error: " + e.getMessage() + "\nTry \"" + name + " --help\" for more information");
            return ExitCode.FAILED;
        }
        Printer.errBlock(name + ": " + e.getMessage() + "; see " + name + " --help");
        return ExitCode.USAGE;
    }
}
