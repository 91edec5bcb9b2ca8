package io.millrace.agent.pbspro;

import io.millrace.agent.pbspro.Question.Form;
import io.millrace.agent.pbspro.Question.Kind;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import java.util.function.Function;

/**
 * Asks PBS, in JSON where its version has it. Versions before 18 have none (usage, exit 2); some print what is no JSON when a user's
 * text holds odd characters: then the long form is read instead.
 */
final class Reading {

    private final PbsSite site;
    private final Runner runner;
    private volatile boolean jsonless;

    Reading(final PbsSite site, final Runner runner) {
        this.site = site;
        this.runner = runner;
    }

    Answer<Listing> all(final Kind kind) {
        return ask(form -> Question.all(site, kind, form));
    }

    Answer<Listing> job(final String id) {
        return ask(form -> Question.job(site, form, id));
    }

    Answer<Listing> remembered(final String id) {
        return ask(form -> Question.remembered(site, form, id));
    }

    private Answer<Listing> ask(final Function<Form, Question> question) {
        if (jsonless) {
            return runner.run(question.apply(Form.TEXT));
        }
        final Answer<Listing> answer = runner.run(question.apply(Form.JSON));
        if (!(answer instanceof Answer.Trouble<Listing> trouble) || trouble.kind() != Answer.Kind.UNREADABLE) {
            return answer;
        }
        final boolean noSuchOption =
                trouble.because().contains("usage:") || trouble.because().contains("invalid option");
        final boolean noJson = trouble.because().contains("what is no JSON");
        if (!noSuchOption && !noJson) {
            return answer;
        }
        final Answer<Listing> text = runner.run(question.apply(Form.TEXT));
        jsonless = noSuchOption && text instanceof Answer.Ok<Listing>;
        return text instanceof Answer.Ok<Listing> ? text : answer;
    }
}
