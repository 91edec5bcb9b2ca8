package io.millrace.agent.file;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import java.util.List;

/** {@code dd} of a part of a regular file. If the file was replaced by a link or a pipe meanwhile, it neither follows nor waits. */
record ReadRange(String path, long offset, int length) implements CommandLine<byte[]> {

    @Override
    public List<String> argv() {
        return List.of(
                "dd",
                "if=" + path,
                "iflag=nofollow,nonblock,fullblock,skip_bytes,count_bytes",
                "bs=64K",
                "skip=" + offset,
                "count=" + length,
                "status=none");
    }

    @Override
    public Answer<byte[]> read(final CommandResult result) {
        return result.succeeded() ? Answer.ok(result.output()) : FileErrors.denied(result);
    }
}
