package io.millrace.script;

import java.util.ArrayList;
import java.util.List;

/** What was said in the target's words so far, and what could not be. */
final class TranslationBuilder {

    private final WlmType wlm;
    private final WlmFeatures abilities;
    private final List<String> options = new ArrayList<>();
    private final List<String> unsupportedOptions = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    TranslationBuilder(final WlmType wlm, final WlmFeatures abilities) {
        this.wlm = wlm;
        this.abilities = abilities;
    }

    /** Puts the option onto the command line if the installed version has it; whether it was said. */
    boolean add(final ScriptOption option, final String... said) {
        final String head = head(said);
        if (!abilities.has(head)) {
            unsupported(option, abilities.version() + " has no " + head);
            return false;
        }
        if (said.length == 2 && said[1].startsWith("-") && !said[1].matches("-\\d+")) {
            unsupported(
                    option,
                    "the value '" + said[1] + "' begins with a dash, and " + wlm.displayName()
                            + " would take it for an option");
            return false;
        }
        options.addAll(List.of(said));
        return true;
    }

    /** {@code --time}, {@code -n}; for options that are families the member as well: {@code -l place}. */
    private static String head(final String... said) {
        final String first = said[0].contains("=") ? said[0].substring(0, said[0].indexOf('=')) : said[0];
        if (said.length > 1 && (first.equals("-l") || first.equals("-W")) && said[1].contains("=")) {
            return first + " " + said[1].substring(0, said[1].indexOf('='));
        }
        return first;
    }

    boolean has(final String option) {
        return abilities.has(option);
    }

    void unsupported(final ScriptOption option, final String because) {
        unsupportedOptions.add(option.where() + ": " + because);
    }

    void unsupported(final String what) {
        unsupportedOptions.add(what);
    }

    /** The usual reason. */
    void noEquivalent(final ScriptOption option) {
        unsupported(option, wlm.displayName() + " has nothing like it");
    }

    void remark(final String remark) {
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }

    List<String> options() {
        return options;
    }

    List<String> unsupportedOptions() {
        return unsupportedOptions;
    }

    List<String> remarks() {
        return remarks;
    }
}
