package io.millrace.agent.file;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.file.FileEntry;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** {@code find} of the entries of a folder. Links are listed, not followed. */
record ListFolder(String path) implements CommandLine<List<FileEntry>> {

    private static final int FIELDS = 4;

    @Override
    public List<String> argv() {
        return List.of("find", path, "-mindepth", "1", "-maxdepth", "1", "-printf", "%y/%s/%T@/%f\\0");
    }

    @Override
    public Answer<List<FileEntry>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return FileErrors.denied(result);
        }
        return Answer.ok(Arrays.stream(result.outputText().split("\0"))
                .map(line -> line.split("/", FIELDS)) // no name of a file contains a slash
                .filter(fields -> fields.length == FIELDS)
                .map(ListFolder::entry)
                .sorted(Comparator.comparing(FileEntry::name))
                .toList());
    }

    private static FileEntry entry(final String[] fields) {
        final FileEntry.Type type = switch (fields[0]) {
            case "f" -> FileEntry.Type.FILE;
            case "d" -> FileEntry.Type.FOLDER;
            case "l" -> FileEntry.Type.LINK;
            default -> FileEntry.Type.OTHER;
        };
        return new FileEntry(
                fields[3],
                type,
                Long.parseLong(fields[1]),
                Instant.ofEpochSecond(new BigDecimal(fields[2]).longValue()));
    }
}
