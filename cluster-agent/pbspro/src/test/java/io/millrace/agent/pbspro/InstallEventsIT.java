package io.millrace.agent.pbspro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code deploy/pbs/install-events} with a qmgr that records its arguments. */
class InstallEventsIT {

    private static final Path SCRIPT =
            Path.of("../../deploy/pbs/install-events").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    @Test
    void the_hook_is_created_once_with_its_events_and_its_file() throws Exception {
        qmgr("""
                case $2 in
                    *x-config*) cat "${2##* }" >>"$log" ;;
                    'list hook'*) exit 1 ;;
                esac
                """);
        assertThat(install("--file", "/shared/millrace.events", "--nodes")).isZero();
        assertThat(log())
                .contains(
                        "create hook millrace_events",
                        "set hook millrace_events event = \"queuejob,modifyjob,movejob,runjob\"",
                        "set hook millrace_events event += jobobit",
                        "set hook millrace_events event += execjob_end",
                        "import hook millrace_events application/x-python default " + SCRIPT.getParent()
                                + "/millrace_events.py",
                        "{\"file\": \"/shared/millrace.events\"}",
                        "set hook millrace_events enabled = True");
    }

    @Test
    void a_version_without_jobobit_gets_the_other_events() throws Exception {
        qmgr("case $2 in *jobobit) echo 'invalid argument' >&2; exit 1 ;; esac\n");
        assertThat(install()).isZero();
        assertThat(log())
                .contains("set hook millrace_events enabled = True")
                .doesNotContain("create hook", "execjob_end");
    }

    @Test
    void an_error_stops_the_installation_before_the_hook_is_enabled() throws Exception {
        qmgr("case $2 in *x-python*) echo 'no permission' >&2; exit 1 ;; esac\n");
        assertThat(install()).isNotZero();
        assertThat(log()).doesNotContain("enabled = True");
    }

    @Test
    void a_file_name_that_needs_escaping_is_rejected() throws Exception {
        qmgr("");
        assertThat(install("--file", "/tmp/a\", \"b\": \"c")).isEqualTo(64);
        assertThat(folder.resolve("log")).doesNotExist();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    private void qmgr(final String then) throws IOException {
        final Path file = folder.resolve("qmgr");
        Files.writeString(file, "#!/bin/bash\nlog='" + folder + "/log'\nprintf '%s\\n' \"$2\" >>\"$log\"\n" + then);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int install(final String... words) throws IOException, InterruptedException {
        final ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString());
        builder.command().addAll(java.util.List.of(words));
        builder.environment().put("PATH", folder + ":/usr/bin:/bin");
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start()
                .waitFor();
    }
}
