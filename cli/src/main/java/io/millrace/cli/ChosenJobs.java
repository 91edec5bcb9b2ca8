package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The jobs that a command changes: given by id, or selected by their properties after a confirmation. */
final class ChosenJobs {

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description =
                    "number of a job or batch (4711), tasks of a batch (4711_4, 4711_[3-6,9]), id or unique prefix, or"
                            + " CLUSTER/ID with the cluster's own id, such as alpha/153; - reads them from standard input")
    @Nullable
    List<String> ids;

    @Mixin
    JobSelection selection = new JobSelection();

    @Option(names = "--all", description = "all unfinished jobs; for operators also those of other users")
    boolean all;

    @Option(
            names = {"-y", "--yes"},
            description = "do not ask for a confirmation if jobs are selected by their properties")
    boolean yes;

    /**
     * Requests a change of each job.
     *
     * @param verb what happens to the jobs, e.g. {@code stop}
     * @param reason null for none
     * @return the exit code of the first failure
     */
    int request(final ApiClient api, final Terminal terminal, final String verb, final @Nullable String reason)
            throws CommandException {
        final ObjectNode body = Json.object();
        if (reason != null) {
            body.put("reason", reason);
        }
        final List<String> chosen = chosen(api, terminal, verb);
        return ids == null
                ? JobRequests.sendToSelected(api, verb, chosen, body)
                : JobRequests.send(api, verb, chosen, body);
    }

    private List<String> chosen(final ApiClient api, final Terminal terminal, final String verb)
            throws CommandException {
        final boolean selects = all || !selection.isEmpty();
        if (ids != null && selects) {
            throw new CommandException(ExitCode.USAGE, "ids cannot be combined with options that select jobs");
        }
        if (ids != null) {
            return given(ids);
        }
        if (!selects) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "no jobs given; name their ids, or select them with --name, --state, --user or --all");
        }
        final List<String> selected = new ArrayList<>();
        selection.jobs(api, false).forEach(job -> selected.add(job.path("id").asText()));
        if (selected.isEmpty()) {
            throw new CommandException(ExitCode.NOT_FOUND, "no unfinished jobs match");
        }
        if (!yes) {
            confirm(terminal, verb, selected.size());
        }
        return selected;
    }

    /** These ids, with those of standard input in place of {@code -}, and one for each task of a range. */
    static List<String> given(final List<String> ids) throws CommandException {
        final List<String> all = new ArrayList<>();
        for (final String id : ids) {
            if (id.equals("-")) {
                all.addAll(List.of(lines().split("\\s+")));
            } else {
                all.add(id);
            }
        }
        all.removeIf(String::isBlank);
        return TaskRange.expanded(all);
    }

    private static String lines() throws CommandException {
        try {
            return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandException(ExitCode.FAILED, "cannot read ids from standard input: " + e.getMessage());
        }
    }

    private static void confirm(final Terminal terminal, final String verb, final int jobs) throws CommandException {
        final String what = verb + (jobs == 1 ? " 1 job" : " " + jobs + " jobs");
        if (!terminal.errIsTerminal()) {
            throw new CommandException(ExitCode.USAGE, "refusing to " + what + " without a confirmation; add --yes");
        }
        Printer.ask(what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1) + "? [y/N] ");
        System.err.flush();
        try {
            final String answer =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
                throw new CommandException(ExitCode.FAILED, "not confirmed; nothing was changed");
            }
        } catch (IOException e) {
            throw new CommandException(ExitCode.FAILED, "cannot read the confirmation: " + e.getMessage());
        }
    }
}
