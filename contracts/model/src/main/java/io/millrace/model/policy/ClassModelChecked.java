package io.millrace.model.policy;

import io.millrace.model.Event;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest answer to an operator: why a change of the class model was refused, or what a draft would change.
 *
 * @param author who requested it
 * @param preview whether it was a preview
 * @param error why the model or the change is refused, with line and column of an error in the model; null: none
 * @param warnings empty domains, overlapping and unreachable classes
 * @param jobs how many of the last jobs a preview has classified
 * @param changed how many of them would have other classes
 * @param examples the newest of these
 * @param stages what the stages of the draft did
 */
public record ClassModelChecked(
        UserName author,
        Instant requestedAt,
        boolean preview,
        @Nullable String error,
        List<String> warnings,
        int jobs,
        int changed,
        List<OtherClasses> examples,
        List<StageWork> stages)
        implements Event {

    /** A job with other classes under the draft; best first, empty if it is unclassified. */
    public record OtherClasses(String job, List<String> before, List<String> after) {
        public OtherClasses {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /**
     * How often a stage reduced the candidates, and by how much.
     *
     * @param entered jobs with several candidates before the stage
     * @param reduced jobs with fewer candidates after it
     * @param removed candidates that it removed in total
     */
    public record StageWork(String stage, long entered, long reduced, long removed) {}

    public ClassModelChecked {
        warnings = List.copyOf(warnings);
        examples = List.copyOf(examples);
        stages = List.copyOf(stages);
    }

    public static String keyOf(final UserName author) {
        return "class-model-check/" + author;
    }

    @Override
    public String key() {
        return keyOf(author);
    }
}
