package io.millrace.agent;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.Lsf;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.pbspro.PbsPro;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.torque.Torque;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** A system with a recorded cluster. */
public enum RecordedAdapter {
    PBSPRO(Set.of(
            "qsub", "qhold", "qrls", "qrun", "qrerun", "qsig", "qdel", "qalter", "qmove", "qmgr", "dd", "install")) {
        @Override
        public Map<String, CommandResult> answers() {
            final Map<String, CommandResult> said = new LinkedHashMap<>();
            said.put("qstat -Q", recorded("pbspro/049-qstat-Qf-json"));
            said.put("qstat -B", recorded("pbspro/053-qstat-Bf-json"));
            said.put("qstat", recorded("pbspro/033-qstat-t-f-json"));
            said.put("pbsnodes", recorded("pbspro/057-pbsnodes-a-json"));
            said.put("qmgr -c list resource", CommandResult.of(0, "Resource millrace\n    type = string\n", ""));
            said.put("qmgr -c list", recorded("pbspro/064-qmgr-list-sched"));
            said.put("qsub", recorded("pbspro/003-submit-stdin"));
            return said;
        }

        @Override
        public WorkloadManager on(final Runner runner, final Path folder) {
            return PbsPro.of(
                    new PbsSite(
                            ClusterId.of("vm"),
                            null,
                            Map.of(),
                            ZoneOffset.UTC,
                            ZoneOffset.UTC,
                            folder,
                            null,
                            "root",
                            PbsSite.Charge.PROJECT),
                    runner,
                    Clock.systemUTC(),
                    () -> "n0");
        }
    },
    TORQUE(Set.of("qsub", "qhold", "qrls", "qrun", "qrerun", "qsig", "qdel", "qalter", "qmove")) {
        @Override
        public Map<String, CommandResult> answers() {
            final Map<String, CommandResult> said = new LinkedHashMap<>();
            said.put("qstat -Q", recorded("torque/036-qstat-Qf"));
            said.put("qstat -B", recorded("torque/038-qstat-Bf"));
            said.put("qstat", recorded("torque/031-qstat-x"));
            said.put("pbsnodes", recorded("torque/041-pbsnodes-x"));
            said.put("qsub", CommandResult.of(0, "1.vm\n", ""));
            return said;
        }

        @Override
        public WorkloadManager on(final Runner runner, final Path folder) {
            return Torque.of(
                    new TorqueSite(
                            ClusterId.of("vm"),
                            null,
                            null,
                            folder.resolve("accounting"),
                            ZoneOffset.UTC,
                            folder.resolve("tags"),
                            false),
                    runner,
                    Clock.systemUTC(),
                    () -> "n0");
        }
    },
    LSF(Set.of("bsub", "bstop", "bresume", "brequeue", "bkill", "bmod", "bswitch", "brun")) {
        @Override
        public Map<String, CommandResult> answers() {
            final Map<String, CommandResult> said = new LinkedHashMap<>();
            said.put("lsid", recorded("lsf/openlava-4.0.0/001-version"));
            said.put("bjobs -u all -a -l", recorded("lsf/openlava-4.0.0/039-bjobs-all-a-l"));
            said.put("bqueues", recorded("lsf/openlava-4.0.0/064-bqueues-l"));
            said.put(
                    "bhosts",
                    recorded(
                            "lsf/openlava-4.0.0/068-bhosts-w",
                            "closed_Full        -      8      8",
                            "ok                 -      8      0"));
            said.put("lshosts", recorded("lsf/openlava-4.0.0/071-lshosts"));
            said.put("bparams", recorded("lsf/openlava-4.0.0/075-bparams-l"));
            said.put("bjobs", CommandResult.of(255, "", "bjobs: illegal option\nUsage: bjobs\n"));
            said.put("bsub", CommandResult.of(0, "Job <101> is submitted to default queue <normal>.\n", ""));
            return said;
        }

        @Override
        public WorkloadManager on(final Runner runner, final Path folder) {
            return Lsf.of(
                    new LsfSite(
                            ClusterId.of("vm"),
                            null,
                            null,
                            folder,
                            Set.of(),
                            "urgent",
                            "normal",
                            null,
                            null,
                            "default"),
                    runner,
                    new Accounts(),
                    Clock.systemUTC(),
                    () -> "n0");
        }
    };

    final Set<String> orders;

    RecordedAdapter(final Set<String> orders) {
        this.orders = orders;
    }

    public abstract Map<String, CommandResult> answers();

    public abstract WorkloadManager on(Runner runner, Path folder);

    /** @param less of what was recorded; {@code instead} stands for it */
    private static CommandResult recorded(final String name, final String less, final String instead) {
        return CommandResult.of(0, recorded(name).outputText().replace(less, instead), "");
    }

    private static CommandResult recorded(final String name) {
        try (InputStream stream = RecordedAdapter.class.getResourceAsStream("/" + name + ".txt")) {
            final String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            return CommandResult.of(0, text.substring(text.indexOf('\n') + 1, text.lastIndexOf("exit=")), "");
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
