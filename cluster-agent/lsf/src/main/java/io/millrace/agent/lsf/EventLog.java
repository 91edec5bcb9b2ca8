package io.millrace.agent.lsf;

import io.millrace.agent.wlm.EventFile;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code lsb.events}, to which mbatchd adds a record whenever a job, host or queue changes: the type in quotes, the version, the second,
 * and what it is about (lsb.events(5)). mbatchd rewrites the file as {@code lsb.events.1} and a shorter new one (MAX_JOB_NUM).
 */
final class EventLog {

    private static final Pattern TYPE = Pattern.compile("\"([A-Z_0-9]+)\" ");

    /** Records of what no picture shows: measurements, process ids, messages, job groups, jobs that were forgotten. */
    private static final Set<String> SILENT = Set.of(
            "LOAD_INDEX",
            "UNFULFILL",
            "JOB_EXECUTE",
            "JOB_CLEAN",
            "JOB_EXT_MSG",
            "JOB_ATTA_DATA",
            "JOB_ACCEPTACK",
            "GRP_ADD",
            "GRP_MOD",
            "LOG_SWITCH");

    private EventLog() {}

    /** @param folder LSF's {@code logdir} */
    static EventFile in(final Path folder) {
        final Path file = folder.resolve("lsb.events");
        return new EventFile(
                "lsb.events",
                now -> file,
                EventLog::tells,
                "let its account read it, also after LSF began a new one: setfacl -m u:millrace:rx -d -m u:millrace:r "
                        + folder + "; setfacl -m u:millrace:r " + file
                        + "; or set millrace.agent.lsf.log-dir to LSF's logdir");
    }

    /** A type that is not known, or a line that is no record, may mean anything. */
    static boolean tells(final String line) {
        final Matcher type = TYPE.matcher(line);
        return !line.isBlank() && !line.startsWith("#") && !(type.lookingAt() && SILENT.contains(type.group(1)));
    }
}
