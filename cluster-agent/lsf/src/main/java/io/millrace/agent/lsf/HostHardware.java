package io.millrace.agent.lsf;

import java.util.List;

/**
 * Static properties of a host as LIM reports them; they change when the host is rebuilt.
 *
 * @param processors 0 if unknown
 * @param memory_mib 0 if unknown
 * @param features type, model and named resources
 */
record HostHardware(String name, int processors, long memory_mib, List<String> features) {

    HostHardware {
        features = List.copyOf(features);
    }
}
