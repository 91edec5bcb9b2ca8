package io.millrace.agent.exec;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.identity.TestSigner;
import io.millrace.model.UserName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The program of root that becomes an owner, built from {@code deploy/agent/helper}, with an account to become and programs that print what
 * they got in place of those of a workload manager.
 *
 * @param run the directory of jobs in the owner's home
 */
public record HelperProgram(Path folder, TestSigner signer, Path home, Path run) implements AutoCloseable {

    public static final String OWNER = "mghelper1";
    static final String STRANGER = "mghelper2";

    /** What a program printed on both streams. */
    public record Ran(int exit, String text) {}

    /** @param clusters whose jobs it submits */
    public static HelperProgram build(final Path folder, final String... clusters) throws Exception {
        assumeTrue(new Accounts().own().uid() == 0, "needs root");
        assumeTrue(
                Files.exists(Path.of("/usr/include/openssl/evp.h")) && Files.exists(Path.of("/usr/include/zlib.h")),
                "needs gcc, make, libssl-dev and zlib1g-dev");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        sh("groupadd -f millrace-users");
        sh("useradd -m -G millrace-users " + OWNER + "; useradd -m " + STRANGER + "; true");
        final Path home =
                Path.of(new Accounts().named(UserName.of(OWNER)).orElseThrow().home());
        final Path run = home.resolve("run");
        sh("mkdir -p " + run + " && chown " + OWNER + " " + run);
        final Path source = Path.of("../../deploy/agent/helper").toRealPath();
        sh("cp -r " + source + " " + folder + "/src && make -s -B -C " + folder + "/src CONFIG=" + folder
                + "/become.conf");
        for (final String program : List.of("sbatch", "qsub", "bsub")) {
            Files.writeString(
                    folder.resolve(program), "#!/bin/bash\nid -u\npwd\nenv\nprintf 'args: %s\\n' \"$*\"\ncat\n");
        }
        final TestSigner signer = new TestSigner("key");
        final StringBuilder pem = new StringBuilder();
        for (final TestSigner one : List.of(new TestSigner("other"), signer)) {
            pem.append("-----BEGIN PUBLIC KEY-----\n")
                    .append(Base64.getMimeEncoder()
                            .encodeToString(one.key.toECPublicKey().getEncoded()))
                    .append("\n-----END PUBLIC KEY-----\n");
        }
        Files.writeString(folder.resolve("keys.pem"), pem);
        final StringBuilder lines = new StringBuilder();
        Arrays.stream(clusters).forEach(cluster -> lines.append("cluster %s %s/staging\n".formatted(cluster, folder)));
        Files.writeString(folder.resolve("become.conf"), lines + """
            keys %1$s/keys.pem
            commands %1$s/src/commands
            prologue %1$s/src/prologue
            group millrace-users
            min-uid 1000
            variable SLURM_UMASK *
            variable SLURM_CONF /etc/slurm/slurm.conf
            path %1$s:/usr/bin:/bin
            """.formatted(folder));
        sh("chmod 755 %1$s/sbatch %1$s/qsub %1$s/bsub && chmod -R go-w %1$s && mkdir -m 1777 %1$s/staging"
                .formatted(folder));
        return new HelperProgram(folder, signer, home, run);
    }

    /** The account of the owner. */
    public static Account owner() {
        return new Accounts().named(UserName.of(OWNER)).orElseThrow();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        sh("userdel -r " + OWNER + " 2>/dev/null; userdel -r " + STRANGER + " 2>/dev/null; true");
    }

    static Ran sh(final String script) throws IOException, InterruptedException {
        return start(new byte[0], "bash", "-c", script);
    }

    static Ran start(final byte[] input, final String... argv) throws IOException, InterruptedException {
        final Path file = Files.createTempFile("helper", "");
        Files.write(file, input);
        final Process process = new ProcessBuilder(argv)
                .redirectInput(file.toFile())
                .redirectErrorStream(true)
                .start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        final int exit = process.waitFor();
        Files.delete(file);
        return new Ran(exit, text);
    }

    /** Runs it without sudo. */
    public Ran become(final byte[] request, final byte[] input) throws IOException, InterruptedException {
        final byte[] whole = Arrays.copyOf(request, request.length + input.length);
        System.arraycopy(input, 0, whole, request.length, input.length);
        return start(whole, folder + "/src/millrace-become");
    }
}
