package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.translation.Translation;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.testing.Attack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailSenderTest {

    private static ValidJob job(final String directives, final Map<String, String> environment) {
        return new ValidJob(
                new JobSpec(
                        "mesh",
                        "#!/bin/sh\n" + directives + "\n",
                        null,
                        Resources.cores(1),
                        Duration.ofHours(1),
                        null,
                        null,
                        environment,
                        new CheckpointMethod.None(),
                        false),
                ClusterId.of("alpha"),
                "/home/anna",
                null,
                null,
                List.of(),
                null,
                List.of(),
                TargetRequest.NONE,
                FileFilters.NONE,
                false);
    }

    private static Map<String, String> sent(final String directives, final Map<String, String> environment) {
        return MailSender.applied(job(directives, environment), true).spec().environment();
    }

    @Test
    void the_directives_of_every_workload_manager_ask_for_mail() {
        final Map<String, String> failure =
                Map.of("MILLRACE_MAIL_TYPE", "END,FAIL", "MILLRACE_MAIL_USER", "a@site.example");

        assertThat(sent("#SBATCH --mail-type=END,FAIL --mail-user=a@site.example", Map.of()))
                .isEqualTo(failure);
        assertThat(sent("#PBS -m ae -M a@site.example", Map.of())).isEqualTo(failure);
        assertThat(sent("#BSUB -B -N -u a@site.example", Map.of())).containsEntry("MILLRACE_MAIL_TYPE", "BEGIN,END");
        assertThat(sent("#SBATCH --mail-type=NONE", Map.of())).isEmpty();
        assertThat(sent("true", Map.of())).isEmpty();
    }

    @Test
    void a_request_overrides_the_script() {
        assertThat(sent("#PBS -m e", Map.of("MILLRACE_MAIL_TYPE", "fail")))
                .isEqualTo(Map.of("MILLRACE_MAIL_TYPE", "FAIL"));
        assertThat(sent("#PBS -m e", Map.of("MILLRACE_MAIL_USER", "b@site.example")))
                .isEqualTo(Map.of("MILLRACE_MAIL_TYPE", "END", "MILLRACE_MAIL_USER", "b@site.example"));
        assertThat(sent("#PBS -m e", Map.of("MILLRACE_MAIL_TYPE", "NONE"))).isEmpty();
    }

    @Test
    void the_workload_manager_sends_mail_only_if_millrace_does_not() {
        final ValidJob job = job("#SBATCH --mail-type=END", Map.of());

        assertThat(options(MailSender.applied(job, false).spec())).contains("--mail-type=END");
        assertThat(options(MailSender.applied(job, true).spec())).isEmpty();
    }

    private static List<String> options(final JobSpec spec) {
        return Translation.of(WlmType.SLURM, WlmFeatures.all("Slurm"), spec, ScriptParser.read(spec.script()))
                .options();
    }

    @Test
    @Attack("an address for mail contains a line end, a list, or another header")
    void invalid_or_unavailable_mail_is_refused() {
        for (final String address : List.of("a b@c", "a@b\r\nBcc: c@d", "<a@b>", "a@b c", "a@b,,c@d", "a".repeat(65))) {
            assertThatThrownBy(() -> sent("true", Map.of("MILLRACE_MAIL_TYPE", "END", "MILLRACE_MAIL_USER", address)))
                    .as(address)
                    .isInstanceOf(RequestRefused.class);
        }
        assertThatThrownBy(() -> sent("true", Map.of("MILLRACE_MAIL_TYPE", "SOON")))
                .hasMessageContaining("'SOON' is not a valid mail event");
        assertThatThrownBy(() -> MailSender.applied(job("true", Map.of("MILLRACE_MAIL_TYPE", "END")), false))
                .hasMessageContaining("sends no mail at this site");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "|/bin/sh",
                "|sh@site.example",
                "/etc/passwd",
                "/var/mail/root@site.example",
                ":include:/etc/shadow",
                "a@site.example|sh",
                "a@site.example\r\nBcc: b@site.example",
                "\"a b\"@site.example",
                "a@[127.0.0.1]",
                "a@@site.example",
                "a@-site.example",
                "a@site..example",
                ".a@site.example",
                "a..b@site.example",
                "-f@site.example",
                "-oQ/tmp",
                "<a@site.example>",
                "a!b!c",
                "a%b@site.example",
                "a@site.example;b",
                "$(id)@site.example",
                "`id`",
                "a b@site.example"
            })
    @Attack("makes the mail server run a program, write a file or mail strangers by the address of a recipient")
    void a_recipient_is_a_user_or_an_address(final String recipient) {
        assertThatThrownBy(() -> sent("", Map.of("MILLRACE_MAIL_TYPE", "END", "MILLRACE_MAIL_USER", recipient)))
                .isInstanceOf(RequestRefused.class)
                .hasMessageContaining("is not a valid mail address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"anna", "anna.b_c", "a.b+jobs@site.example", "a-b@mail.site-1.example", "x@localhost"})
    void usual_recipients_are_accepted(final String recipient) {
        assertThat(sent("", Map.of("MILLRACE_MAIL_TYPE", "END", "MILLRACE_MAIL_USER", recipient)))
                .containsEntry("MILLRACE_MAIL_USER", recipient);
    }
}
