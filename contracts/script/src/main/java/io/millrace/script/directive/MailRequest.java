package io.millrace.script.directive;

import io.millrace.model.Text;
import io.millrace.script.JobSetting;
import io.millrace.script.JobSetting.MailEvent;
import io.millrace.script.ScriptOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The mail that a job requests. It travels as variables of the job.
 *
 * @param on events that are mailed; not empty
 * @param to addresses or user names; empty: the owner of the job
 */
public record MailRequest(Set<MailEvent> on, List<String> to) {

    /** A variable with event types as of {@code sbatch --mail-type}. Where it is set, no workload manager sends mail for the job. */
    public static final String TYPE = "MILLRACE_MAIL_TYPE";

    /** A variable with addresses, separated by commas. */
    public static final String USER = "MILLRACE_MAIL_USER";

    private static final int MAX_ADDRESSES = 5;

    /**
     * local-part@domain, or a user name. Narrower than RFC 5321: a local part that a mail system takes for a program or a file
     * ({@code |/bin/sh}, {@code /path}, {@code :include:/path}) does not match.
     */
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9_](?:[.=+~-]?[A-Za-z0-9_]){0,63}"
            + "(?:@(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
            + "(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*)?");

    public MailRequest {
        on = Set.copyOf(on);
        to = List.copyOf(to);
        for (final String address : to) {
            if (!ADDRESS.matcher(address).matches()) {
                throw new IllegalArgumentException("'" + Text.escaped(address)
                        + "' is not a valid mail address; use a user name or local-part@domain with letters,"
                        + " digits and _ . = + ~ -");
            }
        }
        if (to.size() > MAX_ADDRESSES) {
            throw new IllegalArgumentException(
                    "at most " + MAX_ADDRESSES + " mail addresses are possible, got " + to.size());
        }
    }

    /**
     * The mail that a job requests with its variables or else in its script and the options of its submission; empty for none.
     *
     * @throws IllegalArgumentException if it is invalid, with the reason
     */
    public static Optional<MailRequest> of(final Map<String, String> environment, final String script) {
        final ParsedScript read = ScriptParser.read(script, environment);
        final List<JobSetting.Mail> options = Stream.concat(
                        read.of(read.leadingDialect()).stream()
                                .map(ScriptOption::setting)
                                .filter(JobSetting.Mail.class::isInstance)
                                .map(JobSetting.Mail.class::cast),
                        ofVariables(environment))
                .toList();
        final Set<MailEvent> on = EnumSet.noneOf(MailEvent.class);
        String to = "";
        for (final JobSetting.Mail option : options) {
            on.addAll(option.on());
            to = option.to().isEmpty() ? to : option.to();
        }
        if (environment.containsKey(TYPE)) {
            on.clear();
            on.addAll(options.getLast().on());
        }
        return on.isEmpty() || on.contains(MailEvent.NONE)
                ? Optional.empty()
                : Optional.of(new MailRequest(on, to.isBlank() ? List.of() : addresses(to)));
    }

    private static Stream<JobSetting.Mail> ofVariables(final Map<String, String> environment) {
        try {
            final List<MailEvent> on = environment.containsKey(TYPE)
                    ? SlurmOptions.mailType(environment.get(TYPE)).on()
                    : List.of();
            return environment.containsKey(TYPE) || environment.containsKey(USER)
                    ? Stream.of(new JobSetting.Mail(on, environment.getOrDefault(USER, "")))
                    : Stream.empty();
        } catch (final DirectiveSyntaxException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static List<String> addresses(final String text) {
        return Stream.of(text.split(",")).map(String::strip).toList();
    }

    /** The variables with this request. */
    public Map<String, String> variables() {
        final Map<String, String> variables = new TreeMap<>();
        variables.put(TYPE, on.stream().map(Enum::name).sorted().collect(Collectors.joining(",")));
        if (!to.isEmpty()) {
            variables.put(USER, String.join(",", to));
        }
        return variables;
    }
}
