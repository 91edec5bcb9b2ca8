package io.millrace.agent.acceptance;

import io.millrace.model.cluster.Capability;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One check of the acceptance test.
 *
 * @param sentence what must hold
 * @param needs the capability without which the check makes no sense; null: none
 * @param remedy what to look at if the check fails
 * @param body throws {@link CheckFailure} or {@link NotSupported}
 */
record Check(String sentence, @Nullable Capability needs, String remedy, Consumer<TestQueue> body) {}
