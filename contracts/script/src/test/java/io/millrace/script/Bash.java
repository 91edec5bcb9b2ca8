package io.millrace.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a batch script like a workload manager: from a file, with a few variables. */
public record Bash(int status, byte[] output) {

    public static Bash run(final String script, final Path directory, final Map<String, String> variables)
            throws IOException, InterruptedException {
        final Path file = Files.writeString(Files.createTempFile(directory, "job", ".sh"), script);
        final ProcessBuilder builder = new ProcessBuilder("bash", file.toString()).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(variables);
        final Process process = builder.redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        final byte[] output = process.getInputStream().readAllBytes();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IllegalStateException("bash did not exit within 60 s");
        }
        return new Bash(process.exitValue(), output);
    }

    public String text() {
        return new String(output, StandardCharsets.UTF_8);
    }
}
