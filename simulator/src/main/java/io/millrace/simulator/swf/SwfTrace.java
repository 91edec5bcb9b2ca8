package io.millrace.simulator.swf;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A trace as read.
 *
 * @param header the comments of the form {@code ; Label: value}
 * @param jobs in order of submission, then of id
 * @param skipped one sentence per skipped line, with the reason
 * @param neverStarted number of jobs that were cancelled before they started; they have no run time and no processors
 * @param longer one sentence per line with more fields than the format has; the extra fields are ignored
 */
public record SwfTrace(
        Map<String, String> header, List<SwfJob> jobs, List<String> skipped, long neverStarted, List<String> longer) {

    /** Cores of the cluster: the header may name fewer processors than the widest job uses. */
    public int cores() {
        final int widest = jobs.stream().mapToInt(SwfJob::cores).max().orElse(1);
        return Math.max(widest, maxProcs().orElse(widest));
    }

    /** Processors of the cluster, if the header has them. */
    public Optional<Integer> maxProcs() {
        final String value = header.get("MaxProcs");
        return value == null || !value.matches("[1-9]\\d{0,8}")
                ? Optional.empty()
                : Optional.of(Integer.valueOf(value));
    }
}
