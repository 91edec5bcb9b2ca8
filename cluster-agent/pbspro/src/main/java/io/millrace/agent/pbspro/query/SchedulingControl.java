package io.millrace.agent.pbspro.query;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.Control;

/** Reads and sets who starts jobs. With {@code scheduling=False}, PBS's scheduler starts none, and qrun still works. */
public final class SchedulingControl {

    private final PbsSite site;
    private final Runner runner;
    private final PbsQueries queries;

    public SchedulingControl(final PbsSite site, final Runner runner, final PbsQueries queries) {
        this.site = site;
        this.runner = runner;
        this.queries = queries;
    }

    public Answer<Control> control() {
        return queries.all(PbsQuery.Kind.SERVER).then(SchedulingControl::control);
    }

    static Answer<Control> control(final QueryResult servers) {
        return servers.objects().isEmpty() || !servers.objects().get(0).has("scheduling")
                ? Answer.trouble(Answer.Kind.UNREADABLE, "'qstat -B -f' printed no attribute 'scheduling'")
                : Answer.ok(servers.objects().get(0).is("scheduling") ? Control.NATIVE : Control.DIRECTED);
    }

    public Answer<Accepted> set(final Control next) {
        return runner.run(new Qmgr.Set(site, "set server scheduling=" + (next == Control.NATIVE ? "True" : "False")));
    }
}
