package io.millrace.submit.files;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.file.FileResult;
import io.millrace.model.transfer.FilterRule;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures the files that are copied if a job runs on another cluster, before it is submitted. */
@ApplicationScoped
public class MeasureInputs {

    private final FileRequests requests;

    MeasureInputs(final FileRequests requests) {
        this.requests = requests;
    }

    /**
     * Exactly one of both is null.
     *
     * @param unknown why the size is unknown
     */
    public record Measured(
            FileResult.@Nullable CopySize size, @Nullable String unknown) {}

    /** @param job id of the job that would be submitted */
    public Measured measure(
            final Caller caller,
            final GlobalJobId job,
            final ClusterId source,
            final String directory,
            final List<FilterRule> filter) {
        final FileResult result;
        try {
            result = requests.answer(
                    caller,
                    new FileRequests.Folder(source, caller.user(), job, directory),
                    new FileRequests.Question("", null, 0, filter));
        } catch (RequestRefused e) {
            return new Measured(null, e.getMessage());
        }
        return switch (result) {
            case FileResult.CopySize size -> new Measured(size, null);
            case FileResult.Missing missing -> new Measured(null, missing.reason());
            case FileResult.Refused refused -> new Measured(null, refused.reason());
            case FileResult.Busy busy -> new Measured(null, busy.reason());
            case FileResult.Content content -> throw unexpected();
            case FileResult.Listing listing -> throw unexpected();
        };
    }

    private static IllegalStateException unexpected() {
        return new IllegalStateException("the agent answered another question");
    }
}
