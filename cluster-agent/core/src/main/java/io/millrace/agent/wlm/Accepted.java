package io.millrace.agent.wlm;

/**
 * The workload manager accepted the command; the next observation shows its effect.
 *
 * @param detail one sentence for people
 */
public record Accepted(String detail) {}
