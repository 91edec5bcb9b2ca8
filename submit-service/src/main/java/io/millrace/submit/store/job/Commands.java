package io.millrace.submit.store.job;

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
import java.util.LinkedHashMap;
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
        final Map<String, Command> first = new LinkedHashMap<>();
        commands.forEach(command -> first.putIfAbsent(command.id().value(), command));
        final Map<String, CommandRow> rows = Rows.byIds(CommandRow.class, first.keySet(), row -> row.id);
        final Map<CommandSubjectRow.Key, Instant> subjects = new LinkedHashMap<>();
        first.forEach((id, command) -> {
            if (!rows.containsKey(id)) {
                final CommandRow row = new CommandRow();
                row.id = id;
                row.issued = command.issuedAt();
                row.body = text.write(command);
                row.persist();
                CommandSubjects.of(command.action())
                        .forEach(job -> subjects.put(new CommandSubjectRow.Key(job, id), command.issuedAt()));
            }
        });
        relate(subjects);
    }

    /** Stores outcomes; ignores answers after the first. */
    public void answered(final Collection<Outcome> outcomes) {
        final Map<OutcomeRow.Key, Outcome> first = new LinkedHashMap<>();
        outcomes.forEach(outcome ->
                first.putIfAbsent(new OutcomeRow.Key(outcome.command().value(), outcome.isAnswer()), outcome));
        final Map<OutcomeRow.Key, OutcomeRow> rows =
                Rows.byIds(OutcomeRow.class, first.keySet(), row -> new OutcomeRow.Key(row.command, row.isAnswer));
        final Map<CommandSubjectRow.Key, Instant> subjects = new LinkedHashMap<>();
        first.forEach((key, outcome) -> {
            if (!rows.containsKey(key)) {
                final OutcomeRow row = new OutcomeRow();
                row.command = key.command();
                row.isAnswer = key.isAnswer();
                row.answeredAt = outcome.answeredAt();
                row.body = text.write(outcome);
                row.persist();
                CommandSubjects.of(outcome)
                        .forEach(job -> subjects.putIfAbsent(
                                new CommandSubjectRow.Key(job, key.command()), outcome.answeredAt()));
            }
        });
        relate(subjects);
    }

    private static void relate(final Map<CommandSubjectRow.Key, Instant> subjects) {
        final Map<CommandSubjectRow.Key, CommandSubjectRow> rows = Rows.byIds(
                CommandSubjectRow.class, subjects.keySet(), row -> new CommandSubjectRow.Key(row.about, row.command));
        subjects.forEach((key, time) -> {
            if (!rows.containsKey(key)) {
                final CommandSubjectRow row = new CommandSubjectRow();
                row.about = key.about();
                row.command = key.command();
                row.noted = time;
                row.persist();
            }
        });
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
                .map(id -> new CommandHistory(
                        command(commands.get(id)), outcomeOf(outcomes, id, false), outcomeOf(outcomes, id, true)))
                .sorted(Comparator.comparing(Commands::time))
                .toList();
    }

    /** The known answers to these commands. */
    public List<Outcome> answers(final Collection<CommandId> commands) {
        final List<String> ids = commands.stream().map(CommandId::value).toList();
        return ids.isEmpty()
                ? List.of()
                : OutcomeRow.<OutcomeRow>list("command in ?1 and isAnswer = true", ids).stream()
                        .map(row -> text.read(row.body, Outcome.class))
                        .toList();
    }

    private @Nullable Command command(final @Nullable CommandRow row) {
        return row == null ? null : text.read(row.body, Command.class);
    }

    private @Nullable Outcome outcomeOf(final List<OutcomeRow> outcomes, final String command, final boolean answer) {
        return outcomes.stream()
                .filter(row -> row.command.equals(command) && row.isAnswer == answer)
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
