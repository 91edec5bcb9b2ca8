package io.millrace.script.translation;

import io.millrace.model.Resources;
import io.millrace.script.JobSetting;
import io.millrace.script.TaskLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Divides cores, memory and GPUs of a job into chunks, each on one node. */
final class PbsChunks {

    private PbsChunks() {}

    /** Chunks as in the script. Memory and GPUs that the chunks do not specify are divided among them. */
    static List<JobSetting.Chunk> of(final List<JobSetting.Chunk> scriptChunks, final Resources requested) {
        final long memory =
                scriptChunks.stream().mapToLong(c -> c.count() * c.memoryMib()).sum();
        final long gpus = scriptChunks.stream()
                .mapToLong(c -> (long) c.count() * c.gpus())
                .sum();
        if (memory == requested.memoryMib() && gpus == requested.gpus()) {
            return scriptChunks;
        }
        final List<JobSetting.Chunk> each = new ArrayList<>();
        for (final JobSetting.Chunk chunk : scriptChunks) {
            for (int i = 0; i < chunk.count(); i++) {
                each.add(chunk);
            }
        }
        return divided(each, requested, memory == requested.memoryMib(), gpus == requested.gpus());
    }

    /** A chunk for each part. */
    static List<JobSetting.Chunk> of(final TaskLayout layout, final Map<String, String> other) {
        return layout.parts().stream()
                .map(part -> new JobSetting.Chunk(
                        part.count(), part.cores(), part.tasks(), part.memoryMib(), part.gpus(), other))
                .toList();
    }

    private static List<JobSetting.Chunk> divided(
            final List<JobSetting.Chunk> each,
            final Resources requested,
            final boolean memoryStays,
            final boolean gpusStay) {
        final int count = each.size();
        final List<JobSetting.Chunk> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final JobSetting.Chunk chunk = each.get(i);
            final JobSetting.Chunk one = new JobSetting.Chunk(
                    1,
                    chunk.cores(),
                    chunk.tasks(),
                    memoryStays
                            ? chunk.memoryMib()
                            : Math.ceilDiv(requested.memoryMib() * chunk.cores(), Math.max(1, requested.cores())),
                    gpusStay ? chunk.gpus() : requested.gpus() / count + (i < requested.gpus() % count ? 1 : 0),
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
        return new JobSetting.Chunk(
                count, chunk.cores(), chunk.tasks(), chunk.memoryMib(), chunk.gpus(), chunk.other());
    }

    /** The feature requirements of each chunk. */
    static Map<String, String> requiring(final List<String> features) {
        final Map<String, String> all = new LinkedHashMap<>();
        features.forEach(feature -> all.put(feature, "True"));
        return all;
    }
}
