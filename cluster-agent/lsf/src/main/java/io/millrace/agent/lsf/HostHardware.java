package io.millrace.agent.lsf;

import java.util.List;

/**
 * What LIM knows of a host: it changes when the host is rebuilt.
 *
 * @param processors 0: not known
 * @param memory_mib 0: not known
 * @param features its type, model and the resources it has by name
 */
record HostHardware(String name, int processors, long memory_mib, List<String> features) {

    HostHardware {
        features = List.copyOf(features);
    }
}
