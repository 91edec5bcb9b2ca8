package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.api.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Runs the launchers as a user does. */
class LauncherIT {

    private static final Path BIN = Path.of("src/main/bin").toAbsolutePath();
    private static final Path SLURM = Path.of("src/main/slurm").toAbsolutePath();

    private static final Path CACHE = Path.of("target/start-cache").toAbsolutePath();

    @TempDir
    Path home;

    private record Ended(int exit, String out, String err) {}

    private Ended run(final String tool, final List<String> arguments, final String... environment) throws Exception {
        return run(BIN.resolve(tool), arguments, environment);
    }

    private Ended run(final Path tool, final List<String> arguments, final String... environment) throws Exception {
        final List<String> command = new ArrayList<>(List.of(tool.toString()));
        command.addAll(arguments);
        final ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_") || name.startsWith("XDG_"));
        builder.environment().put("HOME", home.toString());
        builder.environment()
                .put("XDG_CACHE_HOME", CACHE.toString()); // a process in the background may still write there
        for (int i = 0; i < environment.length; i += 2) {
            builder.environment().put(environment[i], environment[i + 1]);
        }
        final Path err = home.resolve("err");
        final Process process = builder.redirectError(err.toFile()).start();
        process.getOutputStream().close();
        final String out = text(process);
        return new Ended(process.waitFor(), out, Files.readString(err));
    }

    private static String text(final Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @FieldSource("io.millrace.cli.Main#NAMES")
    void every_command_documents_its_usage_and_exit_codes(final String tool) throws Exception {
        final Ended help = run(tool, List.of("--help"));

        assertThat(help.exit()).as(help.err()).isZero();
        assertThat(help.out()).contains("Usage: " + tool).contains("Exit codes").doesNotContain("\u001b");
        assertThat(help.err()).isEmpty();
        assertThat(run(tool, List.of("--version")).out()).startsWith("millrace 0.");
    }

    @ParameterizedTest
    @FieldSource("io.millrace.cli.Main#SLURM")
    void the_commands_of_slurm_are_in_a_folder_of_their_own(final String tool) throws Exception {
        final Ended help = run(SLURM.resolve(tool), List.of("--help"));

        assertThat(help.exit()).as(help.err()).isZero();
        assertThat(help.out()).contains("Usage: " + tool);
        assertThat(help.err()).isEmpty();
        assertThat(run(SLURM.resolve(tool), List.of("--version")).out()).startsWith("slurm 22.05");
        assertThat(BIN.resolve(tool)).doesNotExist();
    }

    @Test
    void a_link_in_another_folder_starts_its_command() throws Exception {
        final Path link = Files.createSymbolicLink(home.resolve("mgstat"), BIN.resolve("mgstat"));

        assertThat(run(link, List.of("--version")).out()).startsWith("millrace 0.");
    }

    @Test
    void a_wrong_option_is_a_usage_error() throws Exception {
        final Ended wrong = run("mgstat", List.of("--colour"));

        assertThat(wrong.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(wrong.err()).contains("--colour").contains("mgstat --help");
        assertThat(wrong.out()).isEmpty();
    }

    @Test
    void an_unreachable_service_is_named() throws Exception {
        Files.writeString(
                home.resolve("token"),
                "e30.eyJzdWIiOiJhbm5hIiwiZXhwIjo5OTk5OTk5OTk5fQ.c2ln"); // {"sub":"anna","exp":9999999999}

        final Ended ended = run(
                "mgstat",
                List.of(),
                "MILLRACE_API",
                "http://127.0.0.1:1",
                "MILLRACE_TOKEN_FILE",
                home.resolve("token").toString());

        assertThat(ended.exit()).isEqualTo(ExitCode.UNREACHABLE);
        assertThat(ended.err()).contains("http://127.0.0.1:1").contains("check that it is running");
    }

    @Test
    void names_are_utf_8_even_without_a_locale() throws Exception {
        final Ended ended = run(
                "mgsub",
                List.of("-t", "5", "-D", home.resolve("nö 作业").toString(), "--", "true"),
                "LC_ALL",
                "C",
                "MILLRACE_CLUSTER",
                "alpha");

        assertThat(ended.exit()).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(ended.err()).contains("nö 作业");
    }

    @Test
    void commands_run_even_if_the_home_directory_is_not_writable() throws Exception {
        assertThat(run("findavl", List.of("--version"), "HOME", "/proc/nowhere").exit())
                .isZero();
    }

    @Test
    void a_first_start_makes_a_cache_and_a_damaged_cache_only_costs_time() throws Exception {
        final Path folder = Files.createDirectories(
                CACHE.resolve("first-start-" + ProcessHandle.current().pid() + "/millrace"));
        final String[] environment = {"XDG_CACHE_HOME", folder.getParent().toString()};

        final Path tool = installed("findavl");
        assertThat(run(tool, List.of("--version"), environment).err()).isEmpty();
        final Path cache = madeIn(folder);
        assertThat(run(tool, List.of("--version"), environment).err()).isEmpty();

        Files.writeString(cache, "no cache");
        final Ended damaged = run(tool, List.of("--version"), environment);
        assertThat(damaged.out()).startsWith("millrace 0.");
        assertThat(damaged.err()).isEmpty();
        assertThat(damaged.exit()).isZero();
    }

    @Test
    void the_option_parser_is_compiled_for_a_version_whose_classes_the_cache_holds() throws Exception {
        final byte[] parser = Files.readAllBytes(Path.of("target/classes/picocli/CommandLine.class"));

        assertThat(parser[7]).isGreaterThanOrEqualTo((byte) 65);
    }

    /** A copy of the command, without the start cache that a build makes for a demonstration. */
    private Path installed(final String tool) throws IOException {
        final Path lib = Files.createDirectories(home.resolve("installed/lib"));
        for (final Path folder : List.of(Path.of("target"), Path.of("target/lib"))) {
            try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
                for (final Path jar : jars) {
                    Files.copy(jar, lib.resolve(jar.getFileName()));
                }
            }
        }
        final Path bin = Files.createDirectories(home.resolve("installed/bin"));
        return Files.copy(BIN.resolve(tool), bin.resolve(tool), StandardCopyOption.COPY_ATTRIBUTES);
    }

    private static Path madeIn(final Path folder) throws Exception {
        final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
        while (Instant.now().isBefore(limit)) {
            try (Stream<Path> files = Files.list(folder)) {
                final Optional<Path> cache =
                        files.filter(file -> file.toString().endsWith(".cache")).findFirst();
                if (cache.isPresent()) {
                    return cache.get();
                }
            }
            Thread.sleep(100);
        }
        throw new AssertionError("no cache in " + folder);
    }
}
