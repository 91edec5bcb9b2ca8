package io.millrace.lab.parts;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.transfer.TreeCopies;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Copies trees from another host as an agent does, and prints the seconds, in total and of each command line. {@code ./millrace bench transfer}
 * runs it in a network namespace with a limited rate.
 *
 * <p>Arguments: host, ssh command (words separated by tabs), staging root, number of copies at a time, size of the cache in bytes, source
 * folders.
 */
final class TransferBench {

    private static final UserName OWNER = UserName.of("bench");

    private TransferBench() {}

    public static void main(final String[] args) throws Exception {
        final TransferSettings usual = TransferSettings.of(args[2], null);
        final TransferSettings settings = new TransferSettings(
                args[2],
                null,
                List.of(args[1].split("\t")),
                usual.stall(),
                usual.silence(),
                Duration.ofHours(1),
                Long.parseLong(args[4]));
        final Timed self = new Timed(new ProcessRunner(new Accounts()), new TreeMap<>());
        final TreeCopies copies = new TreeCopies((owner, authority) -> self, settings);
        final long started = System.nanoTime();
        try (var threads = Executors.newFixedThreadPool(Integer.parseInt(args[3]))) {
            final List<Future<Result>> all = new ArrayList<>();
            for (int i = 5; i < args.length; i++) {
                final CopyTree order = order(args[0], args[i], args[2], i);
                all.add(threads.submit(() -> copies.copy(order)));
            }
            for (final Future<Result> one : all) {
                if (!(one.get() instanceof Result.Done)) {
                    throw new IllegalStateException(one.get().toString());
                }
            }
        }
        System.out.printf("%.1f %s%n", (System.nanoTime() - started) / 1e9, self.seconds);
    }

    private static CopyTree order(final String host, final String from, final String stagingRoot, final int number) {
        final AttemptId attempt = AttemptId.of("01JQZ8Y6T00000000000000%03d.1".formatted(number));
        return new CopyTree(
                TransferId.of(attempt + "/upload"),
                OWNER,
                new Place(ClusterId.of("alpha"), host, from),
                new Place(ClusterId.of("beta"), null, stagingRoot + "/" + OWNER + "/" + attempt));
    }

    /** Adds up the seconds of each kind of command line. */
    private record Timed(Runner runner, Map<String, Double> seconds) implements Runner {

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            final long started = System.nanoTime();
            final Answer<T> answer = runner.run(command);
            final double taken = Math.round((System.nanoTime() - started) / 1e8) / 10.0;
            synchronized (seconds) {
                seconds.merge(command.getClass().getSimpleName(), taken, Double::sum);
            }
            return answer;
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }
}
