package io.millrace.agent.pbspro.query;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.query.PbsQuery.Form;
import io.millrace.agent.pbspro.query.PbsQuery.Kind;
import io.millrace.agent.wlm.Answer;
import java.util.List;
import java.util.function.Function;

/**
 * Runs queries in JSON if the version supports it. Versions before 18 do not (usage message, exit code 2). Some versions print
 * invalid JSON if a user's text contains unusual characters. In both cases the full format is read instead.
 */
public final class PbsQueries {

    private final PbsSite site;
    private final Runner runner;
    private volatile boolean jsonUnsupported;

    public PbsQueries(final PbsSite site, final Runner runner) {
        this.site = site;
        this.runner = runner;
    }

    public Answer<QueryResult> all(final Kind kind) {
        return run(form -> PbsQuery.all(site, kind, form));
    }

    Answer<QueryResult> job(final String id) {
        return run(form -> PbsQuery.job(site, form, id));
    }

    /** Several jobs by one command, in the full format. */
    Answer<QueryResult> jobs(final List<String> ids) {
        return runner.run(PbsQuery.jobs(site, ids));
    }

    public Answer<QueryResult> history(final String id) {
        return run(form -> PbsQuery.withHistory(site, form, id));
    }

    private Answer<QueryResult> run(final Function<Form, PbsQuery> question) {
        if (jsonUnsupported) {
            return runner.run(question.apply(Form.TEXT));
        }
        final Answer<QueryResult> answer = runner.run(question.apply(Form.JSON));
        if (!(answer instanceof Answer.Trouble<QueryResult> trouble) || trouble.kind() != Answer.Kind.UNREADABLE) {
            return answer;
        }
        final boolean noSuchOption =
                trouble.reason().contains("usage:") || trouble.reason().contains("invalid option");
        final boolean noJson = trouble.reason().contains("invalid JSON");
        if (!noSuchOption && !noJson) {
            return answer;
        }
        final Answer<QueryResult> text = runner.run(question.apply(Form.TEXT));
        jsonUnsupported = noSuchOption && text instanceof Answer.Ok<QueryResult>;
        return text instanceof Answer.Ok<QueryResult> ? text : answer;
    }
}
