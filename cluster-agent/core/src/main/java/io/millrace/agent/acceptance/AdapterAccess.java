package io.millrace.agent.acceptance;

import io.millrace.agent.wlm.WorkloadManager;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The adapter of this process. An embedded cluster can be open in one process only, so it is closed while an agent process runs. */
public final class AdapterAccess implements Supplier<WorkloadManager>, AutoCloseable {

    private final Supplier<WorkloadManager> opener;
    private @Nullable WorkloadManager open;

    /** @param opener opens the adapter */
    public AdapterAccess(final Supplier<WorkloadManager> opener) {
        this.opener = opener;
    }

    @Override
    public WorkloadManager get() {
        final WorkloadManager now = open == null ? opener.get() : open;
        open = now;
        return now;
    }

    @Override
    public void close() {
        final WorkloadManager now = open;
        open = null;
        if (now != null) {
            now.close();
        }
    }
}
