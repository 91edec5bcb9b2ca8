package io.millrace.script.translation;

import io.millrace.script.ScriptOption;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the translated options, and the options without an equivalent. */
final class TranslationBuilder {

    private final WlmType wlm;
    private final WlmFeatures features;
    private final List<String> options = new ArrayList<>();
    private final Map<String, List<String>> lists = new LinkedHashMap<>();
    private final List<String> unsupportedOptions = new ArrayList<>();
    private final List<String> essential = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final @Nullable ScriptOption size;

    /** @param size the option that gives the job its size; null if only the submission does */
    TranslationBuilder(final WlmType wlm, final WlmFeatures features, final @Nullable ScriptOption size) {
        this.wlm = wlm;
        this.features = features;
        this.size = size;
    }

    /** Adds the option if the installed version supports it. @return whether it was added */
    boolean add(final ScriptOption option, final String... words) {
        final String head = head(words);
        if (!features.has(head)) {
            unsupported(option, features.version() + " does not support " + head);
            return false;
        }
        if (words.length == 2 && words[1].startsWith("-") && !words[1].matches("-\\d+")) {
            unsupported(
                    option,
                    "the value '" + words[1] + "' starts with a dash, which " + wlm.displayName()
                            + " would read as an option");
            return false;
        }
        options.addAll(List.of(words));
        return true;
    }

    /** Adds an element to the list {@code name=a,b}. A workload manager uses only the last of several options with the same name. */
    boolean addToList(final ScriptOption option, final String name, final String element) {
        if (!features.has(name)) {
            unsupported(option, features.version() + " does not support " + name);
            return false;
        }
        return lists.computeIfAbsent(name, any -> new ArrayList<>()).add(element);
    }

    /** The option name: {@code --time}, {@code -n}; with the resource or attribute name for {@code -l} and {@code -W}: {@code -l place}. */
    private static String head(final String... words) {
        final String first = words[0].contains("=") ? words[0].substring(0, words[0].indexOf('=')) : words[0];
        if (words.length > 1 && (first.equals("-l") || first.equals("-W")) && words[1].contains("=")) {
            return first + " " + words[1].substring(0, words[1].indexOf('='));
        }
        return first;
    }

    boolean has(final String option) {
        return features.has(option);
    }

    void unsupported(final ScriptOption option, final String reason) {
        unsupportedOptions.add(option.where() + ": " + reason);
        if (option.effect().isEssential()) {
            essential.add(option.where() + ": " + reason);
        }
    }

    /** The workload manager cannot give the job its size, so the job must not run there. */
    void refuseSize(final String reason) {
        final String text = (size == null ? "the size of the job" : size.where()) + ": " + reason;
        unsupportedOptions.add(text);
        essential.add(text);
    }

    /** Reports an option without an equivalent. */
    void noEquivalent(final ScriptOption option) {
        unsupported(option, wlm.displayName() + " has no equivalent");
    }

    void remark(final String remark) {
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }

    List<String> options() {
        final List<String> all = new ArrayList<>(options);
        lists.forEach((name, elements) -> all.add(name + "=" + String.join(",", elements)));
        return all;
    }

    List<String> unsupportedOptions() {
        return unsupportedOptions;
    }

    List<String> essential() {
        return essential;
    }

    List<String> remarks() {
        return remarks;
    }
}
