package io.millrace.agent.lsf.query;

import io.millrace.agent.wlm.EventFile;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code lsb.events}: mbatchd adds a record whenever a job, host or queue changes. A record has a type in quotes, a version, a time in
 * seconds, and its subject (lsb.events(5)). mbatchd renames the file to {@code lsb.events.1} and starts a shorter one (MAX_JOB_NUM).
 */
public final class EventLog {

    private static final Pattern TYPE = Pattern.compile("\"([A-Z_0-9]+)\" ");

    /** Record types that do not change the snapshot: measurements, process ids, messages, job groups, purged jobs. */
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

    /** @param folder {@code logdir} of LSF */
    public static EventFile in(final Path folder) {
        final Path file = folder.resolve("lsb.events");
        return new EventFile(
                "lsb.events",
                now -> file,
                EventLog::mayChangeSnapshot,
                "grant read access, also for the files that LSF creates later: setfacl -m u:millrace:rx -d -m u:millrace:r "
                        + folder + "; setfacl -m u:millrace:r " + file
                        + "; or set millrace.agent.lsf.log-dir to LSF's logdir");
    }

    /** Whether a line may mean a change. An unknown type or a line without a type may mean any change. */
    static boolean mayChangeSnapshot(final String line) {
        final Matcher type = TYPE.matcher(line);
        return !line.isBlank() && !line.startsWith("#") && !(type.lookingAt() && SILENT.contains(type.group(1)));
    }
}
