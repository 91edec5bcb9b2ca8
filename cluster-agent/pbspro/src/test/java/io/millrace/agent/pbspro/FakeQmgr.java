package io.millrace.agent.pbspro;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbspro.query.HoldMark;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The qmgr of the fake, with the directives that the adapter uses. */
final class FakeQmgr {

    private static final Pattern LIMIT =
            Pattern.compile("set server max_run_res_soft\\.ncpus (\\+=|-=) \\[u:([^=]+)=(\\d+)]");

    private final FakePbsServer server;
    private final boolean operator;

    FakeQmgr(final FakePbsServer server, final boolean operator) {
        this.server = server;
        this.operator = operator;
    }

    CommandResult answer(final String directive) {
        if (!operator && !directive.startsWith("list ")) {
            return FakePbs.no(
                    159, "qmgr obj= svr=default: Unauthorized Request \nqmgr: Error (15007) returned from server");
        }
        final Matcher limit = LIMIT.matcher(directive);
        if (limit.matches()) {
            return limit(limit.group(1), limit.group(2), Integer.parseInt(limit.group(3)));
        }
        return switch (directive) {
            case "set server scheduling=True", "set server scheduling=False" -> {
                server.scheduling = directive.endsWith("True");
                yield FakePbs.ok("");
            }
            case "list resource millrace" ->
                server.hasResource
                        ? FakePbs.ok("Resource millrace\n    type = string\n    flag = r\n\n")
                        : FakePbs.no(
                                187,
                                "qmgr obj=millrace svr=default: Unknown resource \nqmgr: Error (15035) returned from server");
            case HoldMark.CREATE -> {
                server.hasResource = true;
                yield FakePbs.ok("");
            }
            case "list sched" ->
                FakePbs.ok("Sched default\n    sched_host = vm\n    scheduling = True\n    preempt_queue_prio = 150\n"
                        + "    preempt_prio = "
                        + server.preemptPrio.replace("server_softlimits", "server_softlimits,\n\tqueue_softlimits")
                        + "\n    preempt_order = " + server.preemptOrder + "\n    log_events = 767\n\n");
            default -> FakePbs.no(4, "qmgr: Syntax error\n" + directive + "\n ^");
        };
    }

    private CommandResult limit(final String operator, final String user, final int cores) {
        if (operator.equals("+=")) {
            server.softLimits.put(user, cores);
            return FakePbs.ok("");
        }
        return server.softLimits.remove(user, cores)
                ? FakePbs.ok("")
                : FakePbs.no(
                        166,
                        "qmgr obj= svr=default: Illegal attribute or resource value max_run_res_soft.ncpus\n"
                                + "qmgr: Error (15014) returned from server");
    }
}
