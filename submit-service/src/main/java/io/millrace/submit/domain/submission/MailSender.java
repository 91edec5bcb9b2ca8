package io.millrace.submit.domain.submission;

import io.millrace.model.job.JobSpec;
import io.millrace.script.JobSetting;
import io.millrace.script.directive.MailRequest;
import io.millrace.submit.domain.RequestRefused;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Decides who sends the mail that a job requests: Millrace if the site has a mail server for it, otherwise the workload manager. */
public final class MailSender {

    private MailSender() {}

    /**
     * The job, with variables that ask Millrace for mail.
     *
     * @param configured whether Millrace sends mail
     * @throws RequestRefused if the job asks Millrace for mail that it does not send, or for invalid mail
     */
    public static ValidJob applied(final ValidJob job, final boolean configured) {
        final JobSpec spec = job.spec();
        final boolean asked = spec.environment().containsKey(MailRequest.TYPE)
                || spec.environment().containsKey(MailRequest.USER);
        if (!configured) {
            if (asked) {
                throw RequestRefused.invalid(
                        "environment." + MailRequest.TYPE, "asks for mail, but Millrace sends no mail at this site");
            }
            return job;
        }
        final Map<String, String> variables = new HashMap<>(spec.environment());
        variables.keySet().removeAll(Set.of(MailRequest.TYPE, MailRequest.USER));
        request(spec, asked).ifPresent(mail -> variables.putAll(mail.variables()));
        return job.withSpec(spec.withEnvironment(variables));
    }

    private static Optional<MailRequest> request(final JobSpec spec, final boolean asked) {
        try {
            return MailRequest.of(spec.environment(), spec.script());
        } catch (final IllegalArgumentException e) {
            throw RequestRefused.invalid(
                    asked
                            ? "environment." + invalidVariable(spec)
                            : new ScriptDirectives(spec).field(JobSetting.Mail.class),
                    "asks for invalid mail: " + e.getMessage());
        }
    }

    private static String invalidVariable(final JobSpec spec) {
        final String events = spec.environment().get(MailRequest.TYPE);
        try {
            MailRequest.of(events == null ? Map.of() : Map.of(MailRequest.TYPE, events), "");
            return MailRequest.USER;
        } catch (final IllegalArgumentException e) {
            return MailRequest.TYPE;
        }
    }
}
