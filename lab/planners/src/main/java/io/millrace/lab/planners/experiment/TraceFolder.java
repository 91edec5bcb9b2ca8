package io.millrace.lab.planners.experiment;

import io.millrace.simulator.swf.SwfReader;
import io.millrace.simulator.swf.SwfTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import picocli.CommandLine.Parameters;

/** Parameters of an experiment with workload logs: their folder and names, and the folder of the results. */
public final class TraceFolder {

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description = "folder with logs TRACE.swf.gz, or with a subfolder 'traces' that has them")
    private Path given = Path.of("traces");

    @Parameters(index = "1", paramLabel = "OUT", description = "folder for the page and its charts")
    private Path to = Path.of(".");

    @Parameters(
            index = "2..*",
            arity = "0..*",
            paramLabel = "TRACE",
            description = "names of logs (default: KTH-SP2 SDSC-SP2 SDSC-BLUE CTC-SP2)")
    private List<String> names = List.of("KTH-SP2", "SDSC-SP2", "SDSC-BLUE", "CTC-SP2");

    /** The results of a study of each log, by its name. */
    public <R> Map<String, R> study(final BiFunction<String, SwfTrace, R> study) throws IOException {
        final Path folder = Files.isDirectory(given.resolve("traces")) ? given.resolve("traces") : given;
        final Map<String, R> results = new LinkedHashMap<>();
        for (final String name : names) {
            results.put(name, study.apply(name, SwfReader.read(folder.resolve(name + ".swf.gz"))));
        }
        return results;
    }

    public Path out() {
        return to;
    }
}
