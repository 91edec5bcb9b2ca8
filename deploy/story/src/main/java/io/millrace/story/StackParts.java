package io.millrace.story;

import io.millrace.log.ClientProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The processes of the running stack, to disturb and to observe. The launcher recorded their pids and ports in the folder of the stack. */
public final class StackParts {

    public static final String BROKER = "kafka";
    public static final String DATABASE = "mariadb";

    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final Path folder;
    private final Path launcher;
    private final Map<String, Integer> ports;
    /** The address of the broker that each agent uses. */
    private final Map<String, String> links;
    /** The ports of health and metrics, where they differ. */
    private final Map<String, Integer> managementPorts;
    /** The address of each agent on a separate host. */
    private final Map<String, String> addresses;

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(ANSWER).build();

    public StackParts(final Path siteFile, final Site site) {
        this.folder = Objects.requireNonNull(siteFile.toAbsolutePath().getParent());
        this.launcher = site.tools().resolve("../../millrace").normalize();
        this.ports = ports(Texts.read(folder.resolve("ports")));
        this.managementPorts = ports(Texts.readIfThere(folder.resolve("management")));
        this.links = Texts.readIfThere(folder.resolve("links"))
                .lines()
                .map(line -> line.split("[=:]"))
                .collect(Collectors.toMap(part -> part[0], part -> part[1]));
        this.addresses = Texts.readIfThere(folder.resolve("hosts"))
                .lines()
                .map(line -> line.split(" "))
                .collect(Collectors.toMap(host -> "agent-" + host[0], host -> host[3]));
    }

    private static Map<String, Integer> ports(final String lines) {
        return lines.lines()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Integer.parseInt(pair[1])));
    }

    /** Services and agents, which report whether they are ready. */
    public List<String> services() {
        return ports.keySet().stream()
                .filter(part -> !isBroker(part) && !part.equals(DATABASE))
                .sorted()
                .toList();
    }

    /** The brokers of the stack, which form one cluster. */
    public List<String> brokers() {
        return ports.keySet().stream().filter(StackParts::isBroker).sorted().toList();
    }

    private static boolean isBroker(final String part) {
        return part.equals(BROKER) || part.startsWith(BROKER + "-");
    }

    /** Every part, with broker and database. */
    public List<String> all() {
        return ports.keySet().stream().sorted().toList();
    }

    /** The address of the broker. */
    public String broker() {
        return "127.0.0.1:" + port(BROKER);
    }

    /** The login of a measurement at the broker, as Kafka properties. */
    public Map<String, Object> brokerLogin() {
        return ClientProperties.read(data().resolve("kafka-client.properties"));
    }

    /** The folder with the data of broker and database. */
    public Path data() {
        return folder.resolve("data");
    }

    /** Whether broker and database are on a separate file system, which can be filled. */
    public boolean hasOwnDisk() {
        try {
            return !Files.getFileStore(data()).equals(Files.getFileStore(folder));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the file systems of '" + folder + "'", e);
        }
    }

    /** Agents whose link to the broker can be cut. */
    public List<String> links() {
        return links.keySet().stream().sorted().toList();
    }

    /** Loses all packets from this agent to the broker from now on; the connections stay open. */
    public void cut(final String agent) {
        route("add", agent);
    }

    public void mend(final String agent) {
        route("del", agent);
    }

    private void route(final String verb, final String agent) {
        final String address = Objects.requireNonNull(links.get(agent), () -> "'" + agent + "' has no link of its own");
        Shell.run(List.of("ip", "route", verb, "blackhole", address + "/32", "table", "local"), folder, Map.of())
                .orThrow();
    }

    /** @param name of the signal, without {@code SIG} */
    public void signal(final String part, final String name) {
        Shell.run(List.of("kill", "-" + name, Long.toString(pid(part))), folder, Map.of());
    }

    public boolean isAlive(final String part) {
        return ProcessHandle.of(pid(part)).map(ProcessHandle::isAlive).orElse(false);
    }

    public int port(final String part) {
        return Objects.requireNonNull(ports.get(part), () -> "the stack has no part '" + part + "'");
    }

    public long pid(final String part) {
        return Long.parseLong(
                Texts.read(folder.resolve("pids").resolve(part)).split(" ")[0].strip());
    }

    /** Kills a part with SIGKILL if it runs, starts it, and returns when it is ready. The launcher has a session, and thus a priority, of its own. */
    public void restart(final String part) {
        Shell.run(
                        List.of("setsid", "--wait", launcher.toString(), "restart", part, "--kill"),
                        folder,
                        Map.of("MILLRACE_STACK_NAME", folder.getFileName().toString()))
                .orThrow();
    }

    /** Whether a service or agent reports that it can do its work. */
    public boolean isReady(final String part) {
        final HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + addresses.getOrDefault(part, "127.0.0.1") + ":"
                                + managementPorts.getOrDefault(part, port(part)) + "/q/health/ready"))
                .timeout(ANSWER)
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
