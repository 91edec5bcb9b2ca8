package io.millrace.migration.domain.view;

import io.millrace.model.Resources;

/** Resources in the words of a veto: {@code 8 cores, 1024 MiB, 2 GPUs, 2 nodes}. */
final class ResourcesText {

    private ResourcesText() {}

    static String of(final Resources r) {
        final StringBuilder text = new StringBuilder(r.cores() + " cores");
        if (r.memoryMib() > 0 && r.memoryMib() < Long.MAX_VALUE) {
            text.append(", ").append(r.memoryMib()).append(" MiB");
        }
        if (r.gpus() > 0) {
            text.append(", ").append(r.gpus()).append(" GPUs");
        }
        if (r.nodes() > 0) {
            text.append(", ").append(r.nodes()).append(" nodes");
        }
        return text.toString();
    }
}
