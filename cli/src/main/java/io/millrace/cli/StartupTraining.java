package io.millrace.cli;

import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.Settings;
import io.millrace.cli.slurm.Sacct;
import io.millrace.cli.slurm.Squeue;
import io.millrace.cli.text.Terminal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * The run from which the JVM makes the cache for faster starts (JEP 483, 514): parses the options of every command and shows jobs and clusters
 * that its own small server answers with. Its output is of no use.
 */
final class StartupTraining {

    private static final String JOB = """
        {"id":"01KJMZ3QA7Y8C4D1XNV5TZW6RB","number":"4711","name":"mesh","user":"anna","state":"running","stage":"Submitted","cores":4,"cluster":"alpha","localId":"153",
        "submittedAt":"2026-11-22T10:00:00Z","startedAt":"2026-11-22T10:01:00Z","walltime":"PT1H"}\
        """;
    private static final String BODY = "{\"jobs\":[" + JOB + "],\"clusters\":[],\"next\":null}";
    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;

    private StartupTraining() {}

    static void run(final List<String> names) throws IOException, CommandException {
        final Terminal terminal = Terminal.of(Map.of());
        for (final String name : names) {
            Main.commandLine(Main.command(name, terminal), terminal).execute("--help");
        }
        final Path token = Files.createTempFile("millrace", ".token");
        try (ServerSocket server = new ServerSocket(0, 4, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> answer(server));
            Files.writeString(token, "e30." + claims() + ".c2ln");
            final Map<String, String> environment = Map.of(
                    "MILLRACE_API",
                    "http://127.0.0.1:" + server.getLocalPort(),
                    "MILLRACE_TOKEN_FILE",
                    token.toString());
            final ApiClient api = new ApiClient(Settings.read(environment));
            final Mgstat jobs = new Mgstat(terminal);
            Main.commandLine(jobs, terminal).parseArgs("--state", "running");
            jobs.run(api);
            final Mghold hold = new Mghold(terminal);
            Main.commandLine(hold, terminal).parseArgs("4711");
            hold.run(api);
            Main.run(new Squeue(environment), terminal, "--me");
            Main.run(new Sacct(environment), terminal, "-X", "-n", "-P", "-S", "now-1hour");
        } finally {
            Files.delete(token);
        }
    }

    private static String claims() {
        return Base64.getUrlEncoder()
                .encodeToString("{\"sub\":\"anna\",\"exp\":9999999999}".getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(final ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                while (socket.getInputStream().read(new byte[4096]) > 0) { // keep-alive, as with the service
                    socket.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException e) {
                return; // The training has ended, or its client fails too.
            }
        }
    }
}
