package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.slurm.Sacct;
import io.millrace.cli.slurm.Scancel;
import io.millrace.cli.slurm.Scontrol;
import io.millrace.cli.slurm.Seff;
import io.millrace.cli.slurm.Sinfo;
import io.millrace.cli.slurm.Sprio;
import io.millrace.cli.slurm.Squeue;
import io.millrace.cli.slurm.Sshare;
import io.millrace.cli.text.BerlinTime;
import io.millrace.cli.text.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands of Slurm: the lines and exit codes that programs read, and each difference that docs/guide/slurm-commands.md names. */
@Timeout(600)
@Isolated("replaces System.out, System.err and the time zone")
@ExtendWith(BerlinTime.class)
class SlurmCommandsTest {

    private static final Terminal PIPE = new Terminal(false, false, 0, false);

    private static final String ENDED = """
        {"id":"01KJMZ3QA7Y8C4D1XNV5TZW6RB","number":"4711","name":"mesh","user":"anna","project":"physics","state":"succeeded",
        "finished":true,"outcome":{"kind":"exited","exitCode":0},"cluster":"alpha","partition":"main","cores":4,"nodes":2,
        "memoryMib":2048,"walltime":"P1DT2H","directory":"/home/anna","environment":{"MILLRACE_OUTPUT":"logs/%j.out"},"submittedAt":"2026-11-22T10:00:00Z",
        "startedAt":"2026-11-22T10:01:00Z","endedAt":"2026-11-22T11:01:05.7Z",
        "used":{"cpuSeconds":7200,"peakMemoryBytes":1073741824}}\
        """;

    private static final String RUNNING = """
        {"id":"01KJMZ3QA7Y8C4D1XNV5TZW6RC","number":"4712","name":"a_very_long_name","user":"anna","state":"running","finished":false,"cluster":"beta","cores":8,"walltime":"PT1H",
        "submittedAt":"2026-11-22T10:00:00Z","startedAt":"2026-11-22T10:02:00Z"}\
        """;

    private static final String WAITING = """
        {"id":"01KJMZ3QA7Y8C4D1XNV5TZW6R%s","number":"4713_%s","batch":"01KJMZ3QA7Y8C4D1XNV5TZW6R9","index":%s,"name":"tasks",
        "user":"anna","state":"waiting","finished":false,"cores":1,"walltime":"PT10M","obstacle":"no-idle-cores",
        "predictedStart":"2026-11-22T12:00:00Z","submittedAt":"2026-11-22T10:00:00Z"}\
        """;

    private static final String FAILED = """
        {"id":"01KJMZ3QA7Y8C4D1XNV5TZW6RD","number":"4714","name":"mesh","user":"ben","state":"failed","finished":true,
        "outcome":{"kind":"signalled","exitCode":137},"cluster":"alpha","cores":1,"walltime":"PT10M",
        "submittedAt":"2026-11-22T10:00:00Z","startedAt":"2026-11-22T10:02:00Z","endedAt":"2026-11-22T10:03:00Z"}\
        """;

    private static final String CLUSTERS = """
        {"clusters":[{"name":"alpha","health":"answering","total":{"cores":16,"nodes":4,"memoryMib":32768,"gpus":4},
        "free":{"cores":6,"nodes":1,"memoryMib":12288,"gpus":0},"features":{"ib":4},"partitions":[
        {"name":"main","open":true,"isDefault":true,"cores":16,"walltimeLimit":"P2D"},
        {"name":"debug","open":false,"isDefault":false,"cores":8}]},
        {"name":"beta","health":"stale","total":{"cores":8,"nodes":2},"free":{"cores":8,"nodes":2},"partitions":[
        {"name":"main","open":true,"isDefault":true,"cores":8}]}]}\
        """;

    @TempDir
    Path home;

    private FakeApi api;

    private record Ended(int exit, String out, String err) {}

    @BeforeEach
    void jobs() throws Exception {
        api = new FakeApi(home)
                .answer(
                        "/jobs",
                        "{\"jobs\":[" + FAILED + "," + waiting(3) + "," + waiting(2) + "," + waiting(1) + "," + RUNNING
                                + "," + ENDED + "]}")
                .answer("/jobs/4711", ENDED)
                .answer("/jobs/4712", RUNNING)
                .answer("/jobs/4714", FAILED)
                .answer("/jobs/4712/stop", "{}")
                .answer("/jobs/4712/alter", "{}")
                .answer("/jobs/4712/hold", "{}")
                .refuse("/jobs/4711/stop", 409, "job 4711 has already finished")
                .answer("/clusters", CLUSTERS)
                .answer(
                        "/quotas",
                        "{\"quotas\":[{\"cluster\":\"alpha\",\"holder\":\"anna\",\"user\":\"anna\",\"cores\":8,"
                                + "\"usage\":{\"guaranteedCores\":4}}]}")
                .answer(
                        "/priority/jobs",
                        "{\"jobs\":[{\"number\":\"4713_1\",\"cluster\":\"alpha\",\"partition\":\"main\",\"user\":\"anna\","
                                + "\"priority\":1250,\"terms\":[{\"term\":\"age\",\"points\":250}]}]}");
    }

    private static String waiting(final int task) {
        return WAITING.formatted(task, task, task);
    }

    @AfterEach
    void close() {
        api.close();
    }

    private Ended run(final String line) throws Exception {
        return run(line.split(" "), Map.of());
    }

    private Ended run(final String[] line, final Map<String, String> more) throws Exception {
        final Map<String, String> environment = new HashMap<>(api.environment());
        environment.putAll(more);
        final Callable<Integer> command = switch (line[0]) {
            case "squeue" -> new Squeue(environment);
            case "sacct" -> new Sacct(environment);
            case "scancel" -> new Scancel(environment);
            case "scontrol" -> new Scontrol(environment);
            case "sinfo" -> new Sinfo(environment);
            case "sprio" -> new Sprio(environment);
            case "sshare" -> new Sshare(environment);
            case "seff" -> new Seff(environment);
            default -> new Sbatch(PIPE, environment);
        };
        final String[] arguments = List.of(line).subList(1, line.length).toArray(String[]::new);
        final PrintStream out = System.out;
        final PrintStream err = System.err;
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        final ByteArrayOutputStream errors = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        try {
            final int exit = Main.run(command, PIPE, arguments);
            return new Ended(
                    exit,
                    printed.toString(StandardCharsets.UTF_8).replaceAll("(?m) +$", ""),
                    errors.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    @Test
    void squeue_shows_unfinished_jobs_with_waiting_tasks_in_one_line() throws Exception {
        assertThat(run("squeue -o %.12i_%.9P_%.8j_%.2t_%.6D_%R").out())
                .isEqualTo("       JOBID_PARTITION_    NAME_ST_ NODES_NODELIST(REASON)\n"
                        + "        4712_      any_a_very_l_ R_     1_beta\n"
                        + "  4713_[1-3]_      any_   tasks_PD_     1_(Resources)\n");
        assertThat(api.requests()).contains("GET /jobs?limit=500&state=active");
        assertThat(run("squeue -h -r -o %i").out()).isEqualTo("4712\n4713_1\n4713_2\n4713_3\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "squeue --format=%i|%T --states=all --noheader --name mesh; 4711|COMPLETED 4714|FAILED",
                "squeue -h -t R,PD -o %A,%t,%K; 4712,R,N/A 4713,PD,1-3",
                "squeue -h -t CD -o %M/%l/%L/%e; 1:00:05/1-02:00:00/1-00:59:55/2026-11-22T12:01:05",
                "squeue -h -u ben -t all -o %u; ben",
                "squeue --me -h -M beta -O JobArrayID:4_,State:.7,NumCPUs:|; 4712_RUNNING8|",
                "squeue -hj4712 -o%i; 4712",
                "squeue -h -j 4711,4714 -t all -S -i -o %i; 4714 4711",
                "squeue --start -h -o %S; 2026-11-22T13:00:00",
                "sacct -X --parsable2 --noheader --format=JobIdRaw,State --name mesh; 4711|COMPLETED 4714|FAILED",
                "sacct -n -P -j 4714 -o exitcode,state,elapsed,end; 0:9|FAILED|00:01:00|2026-11-22T11:03:00",
                "sacct -np -j 4711 -o JobID,MaxRSS,CPUTime,Timelimit; 4711|1048576K|04:00:20|1-02:00:00|",
                "sacct -nPj 4712.batch -o AllocNodes,NCPUS,End; 1|8|2026-11-22T12:02:00",
                "sacct -n -P -s F -S now-2days -E now -o jobid; 4714",
                "sinfo -h -o %P/%a/%l/%D/%t/%N; main*/up/2-00:00:00/4/mix/alpha debug/down/infinite/2/down/alpha"
                        + " main*/down/infinite/2/down/beta",
                "sinfo -h -p main -M alpha -o %C/%F/%c/%m/%G; 10/6/0/16/3/1/0/4/4/8192/gpu:1",
                "sprio -h -o %i,%Y,%A; 4713_1,1250,250",
                "sshare -nP -o user,RawShares,NormShares,FairShare; anna|8|0.500000|0.707107",
            })
    void values_are_those_of_slurm(final String command, final String lines) throws Exception {
        final Ended ended = run(command);

        assertThat(ended.err()).isEmpty();
        assertThat(ended.exit()).isZero();
        assertThat(ended.out().lines()).containsExactly(lines.split(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "waiting, PENDING, PD",
        "held, PENDING, PD",
        "uploading, PENDING, PD",
        "making, PENDING, PD",
        "queued, PENDING, PD",
        "preempted, PENDING, PD",
        "running, RUNNING, R",
        "suspended, SUSPENDED, S",
        "downloading, COMPLETING, CG",
        "succeeded, COMPLETED, CD",
        "failed, FAILED, F",
        "aborted, FAILED, F",
        "timed-out, TIMEOUT, TO",
        "out-of-memory, OUT_OF_MEMORY, OOM",
        "node-failed, NODE_FAIL, NF",
        "cancelled, CANCELLED, CA",
        "stopped, CANCELLED, CA",
    })
    void every_state_has_a_word_and_letters_of_slurm(final String state, final String word, final String letters)
            throws Exception {
        api.answer("/jobs/5", "{\"number\":\"5\",\"state\":\"" + state + "\"}");

        assertThat(run("squeue -h -j 5 -t all -o %T/%t").out()).isEqualTo(word + "/" + letters + "\n");
        assertThat(run("sacct -nP -j 5 -o State").out()).isEqualTo(word + "\n");
        assertThat(run("squeue -h -j 5 -t " + letters + " -o %i").out()).isEqualTo("5\n");
    }

    @Test
    void a_job_that_was_preempted_for_good_is_preempted() throws Exception {
        api.answer("/jobs/5", "{\"number\":\"5\",\"state\":\"cancelled\",\"outcome\":{\"kind\":\"preempted\"}}");

        assertThat(run("sacct -nP -j 5 -o State").out()).isEqualTo("PREEMPTED\n");
    }

    @Test
    void squeue_shows_ended_jobs_of_the_last_minutes_only_if_their_states_are_named() throws Exception {
        run("squeue -t CD");
        run("squeue");

        assertThat(api.requests().getFirst()).startsWith("GET /jobs?limit=500&from=2");
        assertThat(api.requests().getLast()).isEqualTo("GET /jobs?limit=500&state=active");
        assertThat(run("squeue -t ENDED").err())
                .contains("Invalid job state specified: ENDED")
                .contains("COMPLETED");
        assertThat(run("squeue --steps").exit()).isEqualTo(1);
        assertThat(run("squeue --yaml").exit()).isEqualTo(1);
    }

    @Test
    void sacct_cuts_texts_and_draws_a_line_below_its_headings() throws Exception {
        assertThat(run("sacct -j 4712 -o JobID,JobName,State%-9").out()).isEqualTo("""
            JobID           JobName State
            ------------ ---------- ---------
            4712         a_very_lo+ RUNNING
            """);
    }

    @Test
    void the_period_of_sacct_begins_at_midnight_and_names_only_the_caller() throws Exception {
        run("sacct -S 2026-11-20 -E 11/22/26-08:30");

        assertThat(api.requests())
                .contains("GET /jobs?limit=500&from=2026-11-19T23%3A00%3A00Z&to=2026-11-22T07%3A30%3A00Z&user=anna");
        assertThat(run("sacct -S soon").err()).isEqualTo("sacct: error: Invalid time specification: soon\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "squeue -j 99; slurm_load_jobs error: Invalid job id specified",
                "scontrol show job 99; slurm_load_jobs error: Invalid job id specified",
                "scancel 99; scancel: error: Kill job error on job id 99: Invalid job id specified",
                "scancel; scancel: error: No job identification provided",
                "squeue -o %?; squeue: error: Invalid job format specification: %?",
                "sacct -o nothing; sacct: error: Invalid field requested: \"nothing\"",
                "seff 99; Job not found.",
            })
    void errors_are_those_of_slurm(final String command, final String line) throws Exception {
        final Ended ended = run(command);

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).isEqualTo(line + "\n");
    }

    @Test
    void a_wrong_option_points_to_the_help_as_getopt_does() throws Exception {
        final Ended ended = run("squeue --colour");

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.err()).startsWith("squeue: error: ").endsWith("Try \"squeue --help\" for more information\n");
    }

    @Test
    void a_service_that_is_away_has_the_words_that_make_programs_retry() throws Exception {
        final Ended ended = run(new String[] {"squeue"}, Map.of("MILLRACE_API", "http://127.0.0.1:1"));

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.err()).startsWith("squeue: error: Unable to contact slurm controller (connect failure): ");
    }

    @Test
    void scancel_stops_jobs_and_does_not_mind_that_one_has_ended() throws Exception {
        assertThat(run("scancel 4711 4712")).isEqualTo(new Ended(0, "", ""));
        assertThat(run("scancel -n a_very_long_name -t RUNNING -s SIGTERM")).isEqualTo(new Ended(0, "", ""));
        assertThat(api.requests())
                .filteredOn(request -> request.startsWith("POST /jobs/4712/stop"))
                .hasSize(2);
        assertThat(run("scancel -s USR1 4712").err()).contains("USR1").contains("workload manager");
    }

    @Test
    void scontrol_changes_jobs() throws Exception {
        assertThat(run("scontrol update JobId=4712 TimeLimit=30 Nice=5 Dependency=")
                        .exit())
                .isZero();
        assertThat(run("scontrol hold 4712").exit()).isZero();

        assertThat(api.requests())
                .contains(
                        "POST /jobs/4712/alter {\"walltime\":\"30\",\"priority\":-5,\"dependency\":\"none\"}",
                        "POST /jobs/4712/hold {}");
        assertThat(run("scontrol update JobId=4712 Comment=x").err())
                .contains("Comment=x")
                .contains("TimeLimit");
        assertThat(run("scontrol requeue 4712").err()).contains("'requeue' is not possible across clusters");
        assertThat(run("scontrol show node").err()).contains("show node is not possible");
    }

    @Test
    void scontrol_shows_a_job_with_the_keys_of_slurm() throws Exception {
        assertThat(run("scontrol -o show job 4711").out())
                .contains("JobId=4711 JobName=mesh UserId=anna(N/A)")
                .contains("JobState=COMPLETED Reason=None Dependency=(null)")
                .contains("RunTime=01:00:05 TimeLimit=1-02:00:00")
                .contains("StartTime=2026-11-22T11:01:00 EndTime=2026-11-22T12:01:05")
                .contains("NodeList=alpha")
                .contains("StdOut=/home/anna/logs/4711.out");
        assertThat(run("scontrol show job=4711").out()).startsWith("JobId=4711 JobName=mesh\n   UserId=");
        assertThat(run("scontrol show config").out())
                .contains("MinJobAge               = 300 sec", "SchedulerTimeSlice");
        assertThat(run("scontrol ping").out()).isEqualTo("Slurmctld(primary) at millrace is UP\n");
        assertThat(run("scontrol show partition main").out()).contains("PartitionName=main Cluster=alpha");
    }

    @Test
    void json_has_the_form_of_slurm() throws Exception {
        assertThat(run("squeue -j 4711 -t all --json").out())
                .contains("\"job_id\" : 4711")
                .contains("\"job_state\" : [ \"COMPLETED\" ]")
                .contains("\"errors\" : [ ]");
        assertThat(run("sinfo --json").out()).contains("\"state\" : [ \"MIXED\" ]");
        assertThat(run("scontrol ping --json").out()).contains("\"pinged\" : \"UP\"");
    }

    @Test
    void seff_shows_the_efficiency() throws Exception {
        assertThat(run("seff 4711").out()).contains("""
            State: COMPLETED (exit code 0)
            Nodes: 2
            Cores per node: 2
            CPU Utilized: 02:00:00
            CPU Efficiency: 49.93% of 04:00:20 core-walltime
            Job Wall-clock time: 01:00:05
            Memory Utilized: 1024.00 MB
            Memory Efficiency: 50.00% of 2048.00 MB
            """);
        assertThat(run("seff 4712").out()).contains("Efficiency not available");
    }

    private Ended sbatch(final Map<String, String> variables, final String... arguments) throws Exception {
        final Path script = Files.writeString(home.resolve("job.sh"), "#!/bin/sh\nhostname\n");
        final List<String> line = new ArrayList<>(List.of("sbatch", "-D", home.toString()));
        line.addAll(List.of(arguments));
        line.add(script.toString());
        return run(line.toArray(String[]::new), variables);
    }

    private String submitted() {
        return api.requests().stream()
                .filter(request -> request.startsWith("POST"))
                .reduce("", (one, next) -> next);
    }

    @Test
    void sbatch_prints_the_words_that_programs_parse() throws Exception {
        api.answer("/jobs", "{\"number\":\"4711\",\"notes\":[\"--comment has no effect\"]}");

        assertThat(sbatch(Map.of()))
                .isEqualTo(new Ended(0, "Submitted batch job 4711\n", "sbatch: --comment has no effect\n"));
        assertThat(sbatch(Map.of(), "--parsable", "--comment", "x")).isEqualTo(new Ended(0, "4711\n", ""));
        assertThat(sbatch(Map.of(), "-Q")).isEqualTo(new Ended(0, "", ""));
    }

    @Test
    void sbatch_exports_variables_and_takes_an_hour_if_nothing_else_is_requested() throws Exception {
        api.answer("/jobs", "{\"number\":\"4711\"}");

        sbatch(Map.of("CASE", "7", "SBATCH_ACCOUNT", "physics"));
        assertThat(submitted()).contains("\"walltime\":\"1:00:00\"", "\"CASE\":\"7\"", "\"project\":\"physics\"");
        sbatch(
                Map.of("CASE", "7", "SBATCH_ACCOUNT", "physics", "SBATCH_TIMELIMIT", "5"),
                "-A",
                "chemistry",
                "--export=NONE");
        assertThat(submitted())
                .contains("\"walltime\":\"5\"", "\"project\":\"chemistry\"")
                .doesNotContain("\"CASE\"");
    }

    @Test
    void sbatch_says_why_a_submission_failed() throws Exception {
        api.refuse("/jobs", 422, "cluster 'gamma' not found");

        assertThat(sbatch(Map.of()))
                .isEqualTo(new Ended(1, "", "sbatch: error: Batch job submission failed: cluster 'gamma' not found\n"));
    }

    @Test
    void sbatch_can_test_a_job_without_submitting_it() throws Exception {
        api.answer(
                "/jobs/dry-run",
                "{\"job\":{\"cores\":4},\"clusters\":[{\"cluster\":\"alpha\",\"verdict\":\"accepted\"},"
                        + "{\"cluster\":\"beta\",\"verdict\":\"refused\"}]}");

        assertThat(sbatch(Map.of(), "--test-only"))
                .isEqualTo(new Ended(0, "", "sbatch: Job to start using 4 processors on alpha\n"));
    }
}
