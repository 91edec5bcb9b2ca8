package io.millrace.story;

/**
 * Whether a promise was kept.
 *
 * @param promise what was promised, one sentence
 * @param kept whether the observation matches the promise
 * @param seen the observation, with figures
 */
public record Verdict(String promise, boolean kept, String seen) {}
