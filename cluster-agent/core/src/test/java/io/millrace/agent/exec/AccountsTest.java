package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import io.millrace.testing.Attack;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The directory of accounts is asked at use. */
class AccountsTest {

    private static final UserName ALICE = UserName.of("alice");

    private final Map<String, Account> directory = new HashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();
    private boolean down;
    private final Accounts accounts = new Accounts(
            key -> {
                asked.incrementAndGet();
                if (down) {
                    throw new IllegalStateException("no answer");
                }
                return Optional.ofNullable(directory.get(key));
            },
            now::get);

    private static Account account(final String name, final int uid) {
        return new Account(UserName.of(name), uid, uid, "/", "/bin/sh");
    }

    private void pass(final Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    @Attack("jobs of a removed user run as the next owner of the uid")
    void a_removed_account_is_not_found_after_its_uid_was_given_to_another() {
        directory.put("alice", account("alice", 5000));
        final Account before = accounts.named(ALICE).orElseThrow();
        directory.remove("alice");
        directory.put("bob", account("bob", 5000));
        pass(Duration.ofSeconds(2));

        assertThat(accounts.named(ALICE)).isEmpty();
        assertThat(accounts.isCurrent(before)).isFalse();
    }

    @Test
    @Attack("a program that was prepared for a user starts after the user's name has another uid")
    void a_runner_of_an_account_that_changed_runs_nothing() {
        final Account own = new Accounts().own();
        directory.put(own.name().value(), own);
        directory.put("alice", account("alice", 5000));
        final Runner asAlice = new ProcessRunner(accounts).as(ALICE);
        directory.put("alice", account("alice", 5001));
        pass(Duration.ofSeconds(2));

        assertThat(asAlice.run(new Nothing()))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.reason())
                                .contains("account 'alice' with uid 5000 was removed or has another uid now"));
    }

    @Test
    void a_burst_asks_once() {
        directory.put("alice", account("alice", 5000));
        accounts.named(ALICE);
        accounts.named(ALICE);

        assertThat(asked).hasValue(1);
    }

    @Test
    void a_directory_that_does_not_answer_is_asked_again_later_and_believed_for_some_minutes() {
        directory.put("alice", account("alice", 5000));
        accounts.named(ALICE);
        down = true;
        pass(Duration.ofSeconds(10));
        assertThat(accounts.named(ALICE)).isPresent();
        assertThat(accounts.named(ALICE)).isPresent();
        assertThat(asked).hasValue(2);
        pass(Duration.ofMinutes(10));

        assertThatThrownBy(() -> accounts.named(ALICE)).hasMessage("no answer");
    }

    private record Nothing() implements CommandLine<Boolean> {
        @Override
        public List<String> argv() {
            return List.of("true");
        }

        @Override
        public Answer<Boolean> read(final CommandResult result) {
            return Answer.ok(true);
        }
    }
}
