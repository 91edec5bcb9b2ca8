package io.millrace.script;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a script's directives say.
 *
 * @param dialects those it has directives of, the first one first
 * @param options in the script's order
 * @param problems directives that cannot be read: such a script is not submitted
 * @param remarks what its owner should know, e.g. directives that stand where no system reads them
 */
public record ParsedScript(Set<Dialect> dialects, List<ScriptOption> options, List<InvalidDirective> problems, List<String> remarks) {

    public ParsedScript {
        dialects = Collections.unmodifiableSet(new LinkedHashSet<>(dialects));
        options = List.copyOf(options);
        problems = List.copyOf(problems);
        remarks = List.copyOf(remarks);
    }

    /** The dialect that its resources are taken from: the first one that it has; null if it has no directives. */
    public @Nullable Dialect leadingDialect() {
        return dialects.stream().findFirst().orElse(null);
    }

    /** Each system reads its own directives; a system that finds none of its own is given the leading dialect's. */
    public List<ScriptOption> optionsFor(final WlmType wlm) {
        final Dialect own = wlm.dialect();
        return of(own != null && dialects.contains(own) ? own : leadingDialect());
    }

    /** The options of one dialect. */
    public List<ScriptOption> of(final @Nullable Dialect dialect) {
        return options.stream().filter(option -> option.dialect() == dialect).toList();
    }

    /** What it asks for, by its leading dialect. */
    public ScriptRequest request() {
        return ScriptRequest.of(of(leadingDialect()));
    }

    /** The last option that says this; later ones win, as on the systems themselves. */
    static <W extends JobSetting> Optional<SettingOf<W>> last(final List<ScriptOption> options, final Class<W> kind) {
        SettingOf<W> found = null;
        for (final ScriptOption option : options) {
            if (kind.isInstance(option.setting())) {
                found = new SettingOf<>(option, kind.cast(option.setting()));
            }
        }
        return Optional.ofNullable(found);
    }

    record SettingOf<W extends JobSetting>(ScriptOption option, W setting) {}
}
