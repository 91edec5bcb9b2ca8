package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.model.AttemptId;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The two variables of a job submitted by Millrace ({@code qsub -v}). The tag identifies the attempt if the agent stops before it
 * has marked the job. The name is the user's, which PBS may not accept. Both values begin with an underscore, because the JSON of
 * PBS prints numeric text as a number.
 */
public final class JobVariables {

    private static final String TAG = "MILLRACE_TAG";
    private static final String NAME = "MILLRACE_NAME";

    private static final int LONGEST_NAME = 60;

    private JobVariables() {}

    public static String of(final AttemptId attempt, final String name) {
        final String encoded =
                Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
        return TAG + "=_" + attempt + "," + NAME + "=_" + encoded;
    }

    static @Nullable AttemptId attempt(final PbsObject job) {
        final String tag = of(job, TAG);
        return tag.startsWith("_") && HoldMark.isAttemptTag(tag.substring(1)) ? AttemptId.of(tag.substring(1)) : null;
    }

    /** The name given by the user; the name in PBS if the job was not submitted by Millrace. */
    static String name(final PbsObject job) {
        final String encoded = of(job, NAME);
        final String here = job.get("Job_Name", "");
        if (encoded.matches("_[A-Za-z0-9_-]+")) {
            try {
                final String full =
                        new String(Base64.getUrlDecoder().decode(encoded.substring(1)), StandardCharsets.UTF_8);
                return shortName(full).equals(here) ? full : here; // changed since with qalter
            } catch (final IllegalArgumentException e) {
                return here; // a variable of the same name set by the user
            }
        }
        return here;
    }

    /** The name that PBS accepts: letters, digits and few other characters. A variable holds the original name. */
    public static String shortName(final String name) {
        final String plain = name.replaceAll("[^A-Za-z0-9_.+-]", "_");
        final String valid = plain.isEmpty() || !plain.substring(0, 1).matches("[A-Za-z]") ? "j" + plain : plain;
        return valid.substring(0, Math.min(LONGEST_NAME, valid.length()));
    }

    public static String of(final PbsObject job, final String name) {
        final String own = job.get("Variable_List." + name);
        return own == null ? inText(job.get("Variable_List", "")).getOrDefault(name, "") : own;
    }

    /** The full format prints all variables in one line. Those of Millrace contain no comma. */
    private static Map<String, String> inText(final String list) {
        final Map<String, String> variables = new HashMap<>();
        for (final String item : list.split(",")) {
            final int equals = item.indexOf('=');
            if (equals > 0) {
                variables.putIfAbsent(item.substring(0, equals), item.substring(equals + 1));
            }
        }
        return variables;
    }
}
