package io.millrace.submit.store.job;

import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.command.Command;
import io.millrace.model.command.Outcome;
import io.millrace.submit.domain.job.CommandHistory;
import io.millrace.submit.domain.job.CommandSubjects;
import io.millrace.submit.domain.log.EventSerializer;
import io.millrace.submit.store.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Commands and their outcomes, by the jobs that they are about. */
@ApplicationScoped
public class Commands {

    private final EventSerializer text;

    Commands(final EventSerializer text) {
        this.text = text;
    }

    /** Stores commands; ignores repetitions of an id. */
    public void issued(final Collection<Command> commands) {
        Rows.upsert(
                "command (id, issued, body)",
                "id = id",
                commands,
                command -> Rows.values(command.id().value(), command.issuedAt(), text.write(command)));
        relate(commands.stream()
                .flatMap(command -> CommandSubjects.of(command.action()).stream()
                        .map(about -> subject(about, command.id(), command.issuedAt())))
                .toList());
    }

    /** Stores outcomes; ignores answers after the first of each cluster. */
    public void answered(final Collection<Outcome> outcomes) {
        Rows.upsert(
                "outcome (command, is_answer, cluster, answered_at, body)",
                "command = command",
                outcomes,
                outcome -> Rows.values(
                        outcome.command().value(),
                        outcome.isAnswer(),
                        outcome.cluster().value(),
                        outcome.answeredAt(),
                        text.write(outcome)));
        relate(outcomes.stream()
                .flatMap(outcome -> CommandSubjects.of(outcome).stream()
                        .map(about -> subject(about, outcome.command(), outcome.answeredAt())))
                .toList());
    }

    private static @Nullable Object[] subject(final String about, final CommandId command, final Instant time) {
        return Rows.values(about, command.value(), time);
    }

    /** Ignores known relations. */
    private static void relate(final List<@Nullable Object[]> subjects) {
        Rows.upsert("command_about (about, command, noted)", "command = command", subjects, subject -> subject);
    }

    /** The newest {@code limit} commands about any of these jobs, oldest first. */
    public List<CommandHistory> bySubject(final Collection<String> jobs, final int limit) {
        final List<CommandSubjectRow> newest = CommandSubjectRow.find(
                        "about in ?1 order by noted desc, command desc", jobs)
                .range(0, limit - 1)
                .list();
        final Set<String> ids = newest.stream().map(row -> row.command).collect(Collectors.toSet());
        final Map<String, CommandRow> commands = Rows.byIds(CommandRow.class, ids, row -> row.id);
        final List<OutcomeRow> outcomes = ids.isEmpty() ? List.of() : OutcomeRow.list("command in ?1", ids);
        return ids.stream()
                .map(id -> history(command(commands.get(id)), id, outcomes))
                .sorted(Comparator.comparing(Commands::time))
                .toList();
    }

    /**
     * The known answers to these commands.
     *
     * @param commands and the cluster that got each
     */
    public List<Outcome> answers(final Map<CommandId, ClusterId> commands) {
        final List<String> ids =
                commands.keySet().stream().map(CommandId::value).toList();
        return ids.isEmpty()
                ? List.of()
                : OutcomeRow.<OutcomeRow>list("command in ?1 and isAnswer = true", ids).stream()
                        .map(row -> text.read(row.body, Outcome.class))
                        .filter(answer -> answer.cluster().equals(commands.get(answer.command())))
                        .toList();
    }

    private @Nullable Command command(final @Nullable CommandRow row) {
        return row == null ? null : text.read(row.body, Command.class);
    }

    /** Only the cluster that got the command answers it. */
    private CommandHistory history(final @Nullable Command command, final String id, final List<OutcomeRow> outcomes) {
        final List<OutcomeRow> its = outcomes.stream()
                .filter(row -> row.command.equals(id)
                        && (command == null
                                || row.cluster.equals(command.cluster().value())))
                .toList();
        return new CommandHistory(command, outcomeOf(its, false), outcomeOf(its, true));
    }

    private @Nullable Outcome outcomeOf(final List<OutcomeRow> outcomes, final boolean answer) {
        return outcomes.stream()
                .filter(row -> row.isAnswer == answer)
                .findFirst()
                .map(row -> text.read(row.body, Outcome.class))
                .orElse(null);
    }

    private static Instant time(final CommandHistory history) {
        if (history.command() != null) {
            return history.command().issuedAt();
        }
        final Outcome outcome = history.begun() != null ? history.begun() : history.answer();
        return Objects.requireNonNull(outcome, "a history has a command or an outcome")
                .answeredAt();
    }

    /** Deletes commands and outcomes before this instant; returns the number of commands. */
    public long forgetBefore(final Instant horizon) {
        CommandSubjectRow.delete("noted < ?1", horizon);
        OutcomeRow.delete("answeredAt < ?1", horizon);
        return CommandRow.delete("issued < ?1", horizon);
    }
}
