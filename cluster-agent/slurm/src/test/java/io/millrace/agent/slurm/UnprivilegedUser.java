package io.millrace.agent.slurm;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Helper;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Runs commands like {@code ProcessRunner} in a process of an unprivileged user: its own directly, those of an owner by sudo. */
record UnprivilegedUser(Runner own, Account self, Account owner, Authority authority) implements Runner {

    /** @param root a runner that may switch to any user */
    static Runner runner(final Runner root, final UserName user) {
        final Account self = new Accounts().named(user).orElseThrow();
        return new UnprivilegedUser(root.as(user), self, self, Authority.CHECK);
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        return own.run(self.equals(owner) ? command : new ByHelper<>(command, owner, authority));
    }

    @Override
    public Runner as(final UserName other) {
        return as(other, Authority.CHECK);
    }

    @Override
    public Runner as(final UserName other, final Authority with) {
        return new UnprivilegedUser(own, self, new Accounts().named(other).orElseThrow(), with);
    }

    private record ByHelper<T>(CommandLine<T> command, Account owner, Authority authority) implements CommandLine<T> {

        @Override
        public List<String> argv() {
            return Helper.words();
        }

        @Override
        public byte[] input() {
            final byte[] request = Helper.request(
                    authority,
                    owner,
                    Objects.requireNonNullElse(command.directory(), "/"),
                    command.limit(),
                    command.argv(),
                    command.environment());
            final byte[] whole = Arrays.copyOf(request, request.length + command.input().length);
            System.arraycopy(command.input(), 0, whole, request.length, command.input().length);
            return whole;
        }

        @Override
        public Duration limit() {
            return command.limit();
        }

        @Override
        public Answer<T> read(final CommandResult result) {
            return Helper.refusal(result)
                    .<Answer<T>>map(reason -> Answer.trouble(Answer.Kind.DENIED, reason))
                    .orElseGet(() -> command.read(result));
        }
    }
}
