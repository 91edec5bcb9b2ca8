package io.millrace.script.directive;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.WlmType;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directives of a script, and the options of the command line of its submission.
 *
 * @param dialects dialects in the order of their first directive
 * @param options in the order of the script, then those of the command line
 * @param problems invalid directives: such a script is not submitted
 * @param remarks what the owner should know, for example directives that no workload manager reads
 * @param unread directives of other workload managers, which are also in the remarks
 */
public record ParsedScript(
        Set<Dialect> dialects,
        List<ScriptOption> options,
        List<InvalidDirective> problems,
        List<String> remarks,
        List<UnreadBlock> unread) {

    public ParsedScript {
        dialects = Collections.unmodifiableSet(new LinkedHashSet<>(dialects));
        options = List.copyOf(options);
        problems = List.copyOf(problems);
        remarks = List.copyOf(remarks);
        unread = List.copyOf(unread);
    }

    /** The dialect that defines the resources: the first one in the script; null if there are no directives. */
    public @Nullable Dialect leadingDialect() {
        return dialects.stream().findFirst().orElse(null);
    }

    /** The options for a workload manager: those of its dialect if the script has any, otherwise those of the leading dialect. */
    public List<ScriptOption> optionsFor(final WlmType wlm) {
        final Dialect own = wlm.dialect();
        return of(own != null && dialects.contains(own) ? own : leadingDialect());
    }

    /** The options of a dialect, and those of the command line. */
    public List<ScriptOption> of(final @Nullable Dialect dialect) {
        return options.stream()
                .filter(option -> option.dialect() == dialect || option.isOfCommandLine())
                .toList();
    }

    /** What the script requests in its leading dialect. */
    public ScriptRequest request() {
        return request(false);
    }

    /** @param memoryPerSlot whether the script was written for an LSF cluster that reserves memory for each slot */
    public ScriptRequest request(final boolean memoryPerSlot) {
        return ScriptRequest.of(of(leadingDialect()), memoryPerSlot);
    }

    /** The last option of this kind; later options override earlier ones. */
    public static <W extends JobSetting> Optional<SettingOf<W>> last(
            final List<ScriptOption> options, final Class<W> kind) {
        SettingOf<W> found = null;
        for (final ScriptOption option : options) {
            if (kind.isInstance(option.setting())) {
                found = new SettingOf<>(option, kind.cast(option.setting()));
            }
        }
        return Optional.ofNullable(found);
    }

    public record SettingOf<W extends JobSetting>(ScriptOption option, W setting) {}
}
