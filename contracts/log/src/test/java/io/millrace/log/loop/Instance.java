package io.millrace.log.loop;

import io.millrace.log.OutgoingEvent;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An instance of a decider in a process of its own, so that it can be stopped, or die, like a real one. */
public final class Instance {

    /**
     * Its arguments: bootstrap servers, scene, whether it asks before it says anything, then client settings {@code key=value}, among them the name of
     * the instance.
     */
    public static void main(final String... args) throws IOException, InterruptedException {
        Asking.asks = Boolean.parseBoolean(args[2]);
        run(Scene.settings(args[0], args[1]), partition -> new Asking(args[1]), args);
    }

    /** Runs a loop with the client settings in the arguments until the process ends. */
    static void run(final LoopSettings settings, final DeciderFactory deciders, final String... args)
            throws InterruptedException {
        final Map<String, Object> client = new HashMap<>();
        for (int i = 3; i < args.length; i++) {
            final String[] pair = args[i].split("=", 2);
            client.put(pair[0], pair[1]);
        }
        final DecidingLoop loop = new DecidingLoop(settings.withClient(client), deciders, Clock.systemUTC());
        loop.start((String) client.get("group.instance.id"));
        while (true) {
            Thread.sleep(200);
            System.out.println(loop.health());
        }
    }

    /** Says what it is about to say and waits for a line on standard input; once. */
    private static final class Asking extends StartEverything {
        private static volatile boolean asks;

        Asking(final String scene) {
            super(scene);
        }

        @Override
        public List<OutgoingEvent> decide(final Instant now) {
            final List<OutgoingEvent> says = super.decide(now);
            if (asks && !says.isEmpty()) {
                asks = false;
                System.out.println("about to say " + says.size());
                try {
                    System.in.read();
                } catch (final IOException e) {
                    throw new IllegalStateException(e);
                }
            }
            return says;
        }
    }

    /** The running process and what it has said so far. */
    static final class Handle implements AutoCloseable {
        private final Process process;
        private final StringBuffer output = new StringBuffer();

        Handle(final Scene scene, final boolean asks, final String... client) throws IOException {
            this(Instance.class, scene, asks, client);
        }

        /** @param main a class that takes the arguments of {@link Instance#main} */
        Handle(final Class<?> main, final Scene scene, final boolean asks, final String... client) throws IOException {
            final List<String> command = new java.util.ArrayList<>(List.of(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-Xmx96m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                    main.getName(),
                    scene.bootstrap,
                    scene.name,
                    Boolean.toString(asks)));
            command.addAll(List.of(client));
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            Thread.ofVirtual()
                    .start(() -> process.inputReader()
                            .lines()
                            .forEach(line -> output.append(line).append('\n')));
        }

        String output() {
            return output.toString();
        }

        boolean isAlive() {
            return process.isAlive();
        }

        int exitValue() {
            return process.exitValue();
        }

        void goOn() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }

        void signal(final String name) throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }

        @Override
        public void close() throws IOException, InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    private Instance() {}
}
