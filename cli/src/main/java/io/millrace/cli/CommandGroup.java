package io.millrace.cli;

import java.util.List;
import java.util.concurrent.Callable;

/** A command with subcommands. */
public interface CommandGroup {
    List<Callable<Integer>> subcommands();
}
