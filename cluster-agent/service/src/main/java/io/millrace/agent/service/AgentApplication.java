package io.millrace.agent.service;

import io.millrace.model.EscapingStream;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Arrays;
import java.util.List;

/** Without arguments: the agent of a cluster. {@code accept …}: the acceptance test, with the settings of the agent. */
@QuarkusMain
public final class AgentApplication implements QuarkusApplication {

    static final String ACCEPT = "accept";
    static final String ACCEPT_AGENT = "accept-agent";

    private final AcceptCommand accept;

    AgentApplication(final AcceptCommand accept) {
        this.accept = accept;
    }

    public static void main(final String... args) {
        if (args.length > 0) {
            // The agent of this cluster may be running with the same settings.
            System.setProperty("quarkus.http.host-enabled", "false");
            System.setProperty("quarkus.log.console.stderr", "true");
            System.setProperty("quarkus.log.level", args[0].equals(ACCEPT) ? "ERROR" : "INFO");
            AcceptOptions.value("--cluster", args)
                    .ifPresent(cluster -> System.setProperty("millrace.agent.cluster", cluster));
        }
        Quarkus.run(AgentApplication.class, args);
    }

    @Override
    public int run(final String... args) throws Exception {
        if (args.length == 0) {
            Quarkus.waitForExit();
            return 0;
        }
        final List<String> options = Arrays.asList(args).subList(1, args.length);
        return switch (args[0]) {
            case ACCEPT -> accept.run(options, new EscapingStream(System.out), new EscapingStream(System.err));
            case ACCEPT_AGENT -> accept.serve(options);
            default -> {
                System.err.println("command '" + args[0] + "' is unknown\n" + AcceptOptions.USAGE);
                yield AcceptCommand.REFUSED;
            }
        };
    }
}
