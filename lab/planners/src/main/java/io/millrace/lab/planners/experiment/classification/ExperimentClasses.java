package io.millrace.lab.planners.experiment.classification;

import io.millrace.simulator.swf.SwfReader;
import io.millrace.simulator.swf.SwfTrace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./millrace experiment classes}: moves jobs of one cluster to others by their class, as in the ISDCT paper. */
@Command(name = "classes", description = "Classifies jobs and moves them between clusters by class.")
public final class ExperimentClasses implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "OUT", description = "folder for classes.md")
    private Path to = Path.of(".");

    @Parameters(index = "1", arity = "0..1", paramLabel = "SEEDS", description = "number of streams (default: 5)")
    private int seeds = 5;

    @Option(
            names = "--load",
            split = ",",
            description = "loads of the first cluster without the others (default: 0.95,1.3)")
    private List<Double> loads = List.of(0.95, 1.3);

    @Option(names = "--trace", description = "repeat the study on this workload log (SWF)")
    private @Nullable Path trace;

    private final PrintStream out;

    public ExperimentClasses(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        if (seeds < 2 || !loads.stream().allMatch(load -> load > 0)) {
            throw new IllegalArgumentException("SEEDS must be at least 2 and --load greater than zero");
        }
        final ClassStudy study = new ClassStudy(PaperStream.CORES);
        final SortedMap<Double, List<ClassStudy.Result>> byLoad = new TreeMap<>();
        for (final double load : loads) {
            final List<ClassStudy.Result> results = new ArrayList<>();
            for (long seed = 1; seed <= seeds; seed++) {
                results.add(study.run(PaperStream.jobs(seed, load)));
                out.println("load " + load + ", stream " + seed + " of " + seeds);
            }
            byLoad.put(load, results);
        }
        final ClassesPage page = new ClassesPage(byLoad);
        final String text = trace == null ? page.text() : page.text() + onTrace(trace);
        Files.createDirectories(to);
        Files.writeString(to.resolve("classes.md"), text);
        out.println("wrote " + to.resolve("classes.md"));
        return 0;
    }

    private static String onTrace(final Path file) throws IOException {
        final SwfTrace read = SwfReader.read(file);
        final int cores = read.maxProcs()
                .orElseThrow(() -> new IllegalArgumentException("the header of " + file + " has no MaxProcs"));
        final var fitting =
                read.jobs().stream().filter(job -> job.cores() <= cores).toList();
        return ClassesPage.trace(String.valueOf(file.getFileName()), cores, new ClassStudy(cores).run(fitting));
    }
}
