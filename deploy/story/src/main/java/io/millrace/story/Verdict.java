package io.millrace.story;

/**
 * Whether a promise was kept.
 *
 * @param promise what was promised, one sentence
 * @param kept whether what happened is what was promised
 * @param seen what was seen, with its figures
 */
record Verdict(String promise, boolean kept, String seen) {}
