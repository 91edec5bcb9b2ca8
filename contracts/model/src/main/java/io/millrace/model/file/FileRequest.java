package io.millrace.model.file;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.transfer.FilterRule;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user wants to see a file, or the files of a folder, in the directory of a global job; or wants to know how much a copy of the
 * directory would transfer.
 *
 * @param id identifies the answer
 * @param cluster whose agent reads, with the rights of {@code owner}
 * @param directory absolute path of the job's directory on that cluster
 * @param path of the file or folder, relative to the directory; `.`: the directory itself
 * @param offset first byte; null: the end of the file is read
 * @param length maximum number of bytes
 * @param copyFilter rules of the copy whose size is requested, possibly none; null: a file or a folder is read
 * @param by who sees the answer: the owner or an operator
 * @param validUntil no answer is expected after this time
 * @param signature of submit-service: {@link io.millrace.model.authorization.Authorization#fileRead}
 */
public record FileRequest(
        String id,
        ClusterId cluster,
        UserName owner,
        GlobalJobId job,
        String directory,
        String path,
        @Nullable Long offset,
        int length,
        @Nullable List<FilterRule> copyFilter,
        UserName by,
        Instant validUntil,
        String signature)
        implements Event {

    /** Maximum length of an answer, so that it is one record of the log. */
    public static final int MAX_BYTES = 64 * 1024;

    public FileRequest {
        copyFilter = copyFilter == null ? null : List.copyOf(copyFilter);
    }

    public FileRequest signed(final String with) {
        return new FileRequest(
                id, cluster, owner, job, directory, path, offset, length, copyFilter, by, validUntil, with);
    }

    @Override
    public String key() {
        return cluster.value();
    }
}
