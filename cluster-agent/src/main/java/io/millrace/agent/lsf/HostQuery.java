package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandResult;
import java.util.ArrayList;
import java.util.List;

/** {@code bhosts -w}: every host with its slots. */
record HostQuery(LsfSite site) implements Question<List<Host>> {

    @Override
    public List<String> argv() {
        return List.of(site.program("bhosts"), "-w");
    }

    @Override
    public Answer<List<Host>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return Complaint.of("bhosts", result, Answer.Kind.UNREADABLE);
        }
        final List<Host> hosts = new ArrayList<>();
        for (final String line : result.outputText().lines().skip(1).toList()) {
            // HOST_NAME STATUS JL/U MAX NJOBS RUN SSUSP USUSP RSV
            final String[] cell = line.strip().split("\\s+");
            if (cell.length < 9) {
                continue;
            }
            final int taken = cell[4].equals("-") ? 0 : Integer.parseInt(cell[4]);
            hosts.add(new Host(cell[0], cell[1], cell[3].equals("-") ? null : Integer.valueOf(cell[3]), taken));
        }
        return hosts.isEmpty()
                ? Complaint.of("bhosts", result, Answer.Kind.UNREADABLE) // trouble told as if it were an answer
                : Answer.ok(List.copyOf(hosts));
    }
}
