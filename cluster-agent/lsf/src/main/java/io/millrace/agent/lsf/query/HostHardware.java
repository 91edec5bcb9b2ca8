package io.millrace.agent.lsf.query;

import java.util.List;

/**
 * Static properties of a host as LIM reports them; they change when the host is rebuilt.
 *
 * @param processors 0 if unknown
 * @param memoryMib 0 if unknown
 * @param features type, model and named resources
 */
public record HostHardware(String name, int processors, long memoryMib, List<String> features) {

    public HostHardware {
        features = List.copyOf(features);
    }
}
