package io.millrace.script;

import io.millrace.model.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Divides a job's cores, memory and GPUs into chunks, each on one node. */
final class PbsChunks {

    private PbsChunks() {}

    /** As the script's own chunks have it; what they do not say of memory and GPUs is divided among them. */
    static List<JobSetting.Chunk> of(final List<JobSetting.Chunk> own, final Resources wanted) {
        final long memory =
                own.stream().mapToLong(c -> c.count() * c.memory_mib()).sum();
        final long gpus =
                own.stream().mapToLong(c -> (long) c.count() * c.gpus()).sum();
        if (memory == wanted.memoryMib() && gpus == wanted.gpus()) {
            return own;
        }
        final List<JobSetting.Chunk> each = new ArrayList<>();
        for (final JobSetting.Chunk chunk : own) {
            for (int i = 0; i < chunk.count(); i++) {
                each.add(chunk);
            }
        }
        return divided(each, wanted, memory == wanted.memoryMib(), gpus == wanted.gpus());
    }

    /** One chunk a node, or one a task where the nodes do not matter. */
    static List<JobSetting.Chunk> of(final TaskLayout layout, final Resources wanted, final Map<String, String> other) {
        final int count = layout.nodes() > 0 ? Math.min(layout.nodes(), layout.tasks()) : layout.tasks();
        final List<JobSetting.Chunk> each = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final int tasks = layout.tasks() / count + (i < layout.tasks() % count ? 1 : 0);
            each.add(new JobSetting.Chunk(1, tasks * layout.coresPerTask(), tasks, 0, 0, other));
        }
        return divided(each, wanted, false, false);
    }

    private static List<JobSetting.Chunk> divided(
            final List<JobSetting.Chunk> each, final Resources wanted, final boolean memoryStays, final boolean gpusStay) {
        final int count = each.size();
        final List<JobSetting.Chunk> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final JobSetting.Chunk chunk = each.get(i);
            final JobSetting.Chunk one = new JobSetting.Chunk(
                    1,
                    chunk.cores(),
                    chunk.tasks(),
                    memoryStays
                            ? chunk.memory_mib()
                            : Math.ceilDiv(wanted.memoryMib() * chunk.cores(), Math.max(1, wanted.cores())),
                    gpusStay ? chunk.gpus() : wanted.gpus() / count + (i < wanted.gpus() % count ? 1 : 0),
                    chunk.other());
            final JobSetting.Chunk last = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
            if (last != null && alike(last, one)) {
                chunks.set(chunks.size() - 1, times(last, last.count() + 1));
            } else {
                chunks.add(one);
            }
        }
        return chunks;
    }

    private static boolean alike(final JobSetting.Chunk a, final JobSetting.Chunk b) {
        return times(a, 1).equals(times(b, 1));
    }

    private static JobSetting.Chunk times(final JobSetting.Chunk chunk, final int count) {
        return new JobSetting.Chunk(count, chunk.cores(), chunk.tasks(), chunk.memory_mib(), chunk.gpus(), chunk.other());
    }

    /** What each chunk must have, by names of features. */
    static Map<String, String> requiring(final List<String> features) {
        final Map<String, String> all = new LinkedHashMap<>();
        features.forEach(feature -> all.put(feature, "True"));
        return all;
    }
}
