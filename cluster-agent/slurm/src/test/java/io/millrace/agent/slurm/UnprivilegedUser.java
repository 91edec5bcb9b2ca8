package io.millrace.agent.slurm;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.Sudo;
import io.millrace.agent.exec.UserSwitch;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs commands like {@code ProcessRunner} in a process of an unprivileged user: its own directly, those of an owner by sudo. */
record UnprivilegedUser(Runner own, Account self, Account owner) implements Runner {

    /** @param root a runner that may switch to any user */
    static Runner runner(final Runner root, final UserName user) {
        final Account self = new Accounts().named(user).orElseThrow();
        return new UnprivilegedUser(root.as(user), self, self);
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        return own.run(self.equals(owner) ? command : new BySudo<>(command, self, owner));
    }

    @Override
    public Runner as(final UserName other) {
        return new UnprivilegedUser(own, self, new Accounts().named(other).orElseThrow());
    }

    private record BySudo<T>(CommandLine<T> command, Account self, Account owner) implements CommandLine<T> {

        @Override
        public List<String> argv() {
            final List<String> argv = new ArrayList<>(
                    UserSwitch.prefix(self, owner, command.environment().keySet()));
            argv.addAll(List.of("env", "--chdir=" + (command.directory() == null ? "/" : command.directory()), "--"));
            argv.addAll(command.argv());
            return argv;
        }

        @Override
        public byte[] input() {
            return command.input();
        }

        @Override
        public Map<String, String> environment() {
            return command.environment();
        }

        @Override
        public Duration limit() {
            return command.limit();
        }

        @Override
        public Answer<T> read(final CommandResult result) {
            return Sudo.refusal(result)
                    .<Answer<T>>map(reason -> Answer.trouble(Answer.Kind.DENIED, reason))
                    .orElseGet(() -> command.read(result));
        }
    }
}
