package io.millrace.submit.files;

import io.millrace.model.ClusterId;
import io.millrace.model.file.FileResult;
import java.util.concurrent.CompletableFuture;

/** The answers of agents to requests for files. They pass through this service's memory and are never stored. */
public interface FileAnswers {

    /** The answer of a cluster to a request that is about to be published. */
    CompletableFuture<FileResult> expect(ClusterId cluster, String request);

    /** Ends the wait for an answer. */
    void forget(ClusterId cluster, String request);
}
