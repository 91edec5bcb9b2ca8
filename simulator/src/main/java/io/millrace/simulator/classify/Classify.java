package io.millrace.simulator.classify;

import io.millrace.classifier.domain.StageStatistics;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.plan.Classification;
import io.millrace.classifier.domain.plan.Classifier;
import io.millrace.classifier.domain.plan.ModelCheck;
import io.millrace.classifier.domain.plan.SimilarJobs;
import io.millrace.classifier.domain.view.JobHistory;
import io.millrace.classifier.file.JobLines;
import io.millrace.classifier.file.JobLines.ExecutedJob;
import io.millrace.classifier.file.JobLines.Job;
import io.millrace.classifier.file.ModelFile;
import io.millrace.classifier.file.ResultLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./millrace classify}: classifies the jobs of a file. Lines with errors are reported and skipped. */
@Command(
        name = "classify",
        sortOptions = false,
        description = "Classifies the jobs of a file by a model, without a running stack.")
public final class Classify implements Callable<Integer> {

    @Option(names = "--model", required = true, paramLabel = "FILE", description = "the model (YAML)")
    private Path model = Path.of("");

    @Option(names = "--jobs", required = true, paramLabel = "FILE", description = "the jobs, one a line (JSON)")
    private Path jobs = Path.of("");

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "executed jobs for stage psi, one a line (JSON), or a history of ./millrace history import")
    private @Nullable Path history;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "write the results, one a line (JSON)")
    private Path results = Path.of("");

    private final PrintStream out;
    private final PrintStream err;
    private boolean rejected;

    public Classify(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException {
        checkFiles();
        final ClassModel read = ModelFile.read(model);
        ModelCheck.warnings(read).forEach(warning -> err.println("warning: model file " + model + ": " + warning));
        final Classifier classifier = new Classifier(read);
        final JobLines lines = new JobLines(classifier);
        final SimilarJobs similar = history == null ? SimilarJobs.NONE : executed(history, classifier, lines);
        final StageStatistics statistics = new StageStatistics(read);
        try (var writer = new ResultLines(Files.newBufferedWriter(results))) {
            forEachLine(jobs, line -> {
                final Job job = lines.job(line);
                final Classification found = classifier.classify(job.given(), similar);
                statistics.add(found);
                return () -> writer.write(job.id(), found);
            });
        }
        summarise(statistics);
        return rejected ? 1 : 0;
    }

    /** The results must not replace anything if they cannot be computed. */
    private void checkFiles() throws IOException {
        for (final Path input : history == null ? List.of(model, jobs) : List.of(model, jobs, history)) {
            if (!Files.exists(input)) {
                throw new NoSuchFileException(input.toString());
            }
            if (Files.exists(results) && Files.isSameFile(input, results)) {
                throw new IllegalArgumentException("--out must not be the input file " + input);
            }
        }
    }

    /** Executed jobs whose line does not name their classes get those that the model gives them without history. */
    private JobHistory executed(final Path file, final Classifier classifier, final JobLines lines) throws IOException {
        final JobHistory executed = new JobHistory(classifier.model());
        forEachLine(file, line -> {
            final ExecutedJob job = lines.executed(line).orElse(null);
            if (job == null) {
                return () -> {};
            }
            final List<String> classes = job.classes() == null
                    ? classifier.classify(job.job().given()).classes()
                    : job.classes();
            return () -> executed.executed(job.job().given(), classes);
        });
        return executed;
    }

    /** What a line means. */
    private interface LineReader {
        /** @throws IllegalArgumentException if the line is wrong */
        Action read(String line);
    }

    /** What is done with it. */
    private interface Action {
        void run() throws IOException;
    }

    private void forEachLine(final Path file, final LineReader reader) throws IOException {
        try (var lines =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (line.isBlank()) {
                    continue;
                }
                final Action action;
                try {
                    action = reader.read(line);
                } catch (final IllegalArgumentException e) {
                    rejected = true;
                    err.println(file + ", line " + number + ": " + e.getMessage());
                    continue;
                }
                action.run();
            }
        }
    }

    private void summarise(final StageStatistics statistics) {
        final long one = statistics.jobs() - statistics.several() - statistics.unclassified();
        out.println("classified " + statistics.jobs() + " jobs: " + one + " in one class, " + statistics.several()
                + " in several, " + statistics.unclassified() + " in none");
        for (final StageStatistics.Figures stage : statistics.stages()) {
            out.println("stage " + stage.stage().label() + ": of " + stage.entered()
                    + " jobs with several candidates, reduced " + stage.reduced() + " by " + stage.removed()
                    + " classes in total");
        }
        if (rejected) {
            err.println("lines with errors were skipped");
        }
    }
}
