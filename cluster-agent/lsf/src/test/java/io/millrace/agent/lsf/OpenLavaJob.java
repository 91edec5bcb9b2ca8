package io.millrace.agent.lsf;

import io.millrace.agent.exec.Account;
import io.millrace.agent.session.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A job or an array task of the emulator {@link OpenLava}. */
final class OpenLavaJob {

    /** An event of bhist. */
    record Event(Instant at, String text) {}

    final int id;
    final int index;
    final Account owner;
    final String directory;
    final String command;
    final Instant submitted;
    final boolean onHold;
    final List<Event> history = new ArrayList<>();
    final List<String> messages = new ArrayList<>();

    String name;
    String arraySpec = "";
    String project = "default";
    String queue;
    int slots = 1;
    int minutes;
    String resources = "";
    String hosts = "";
    String dependency = "";
    String checkpoint = "";
    boolean rerunnable;
    boolean interactive;
    Instant begin;

    String status = "PEND";
    String reason = "New job is waiting for scheduling";
    Instant started;
    Instant finished;
    int code;
    List<String> on = List.of();
    Session session;
    int runs;
    /** The state after its processes have ended: PEND, PSUSP, KILL, LIMIT, CHKPNT or none. */
    String then = "";

    Instant nextLife;

    OpenLavaJob(
            final int id,
            final int index,
            final Account owner,
            final String directory,
            final String command,
            final Instant submitted,
            final boolean onHold) {
        this.id = id;
        this.index = index;
        this.owner = owner;
        this.directory = directory;
        this.command = command;
        this.submitted = submitted;
        this.onHold = onHold;
    }

    String local() {
        return index == 0 ? Integer.toString(id) : id + "[" + index + "]";
    }

    String shownName() {
        return index == 0 ? name : name + "[" + index + "]";
    }

    /** In columns a job without a name has its command as name. */
    String columnName() {
        return name.isEmpty() ? shownCommand() : shownName();
    }

    boolean isWaiting() {
        return status.equals("PEND") || status.equals("PSUSP");
    }

    boolean isStarted() {
        return status.equals("RUN") || status.equals("USUSP") || status.equals("SSUSP");
    }

    boolean isOver() {
        return status.equals("DONE") || status.equals("EXIT");
    }

    void happened(final Instant at, final String text) {
        history.add(new Event(at, text));
    }

    /** The command as stored in lsb.acct, with semicolons in place of line breaks. */
    String shownCommand() {
        return command.strip().replace("\n", ";");
    }

    Map<String, String> environment() {
        return Map.of(
                "HOME", owner.home(),
                "USER", owner.name().value(),
                "LOGNAME", owner.name().value(),
                "SHELL", "/bin/sh",
                "PATH", "/usr/local/bin:/usr/bin:/bin",
                "LANG", "C.UTF-8",
                "LSB_JOBID", Integer.toString(id),
                "LSB_JOBINDEX", Integer.toString(index),
                "LSB_JOBNAME", shownName(),
                "LSB_QUEUE", queue);
    }
}
