package io.millrace.agent.pbspro;

import io.millrace.model.UserName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A job of the fake. An array has its waiting indices, and a subjob has its array. */
final class FakePbsJob {

    final long number;
    final String brackets;
    final UserName owner;
    final Instant created;

    String name = "STDIN";
    String queue = "workq";
    String letter = "Q";
    int substate = 10;
    String holds = "";
    String heldBy = "";
    String checkpoint = "u";
    boolean rerunable = true;
    boolean interactive;

    @Nullable
    String project;

    @Nullable
    String account;

    @Nullable
    String comment;

    @Nullable
    String depend;

    final Map<String, String> resources = new LinkedHashMap<>();
    final Map<String, String> variables = new LinkedHashMap<>();
    List<String> program = List.of();

    @Nullable
    Path script;

    String directory = "/";
    String submitArguments = "";

    @Nullable
    TreeSet<Integer> waiting;

    @Nullable
    String indicesSubmitted;

    @Nullable
    FakePbsJob array;

    int runs;

    @Nullable
    Instant started;

    @Nullable
    Instant obit;

    @Nullable
    Instant finished;

    @Nullable
    Integer exit;

    Map<String, Integer> placed = Map.of();

    @Nullable
    Process process;

    boolean deleted;
    boolean requeued;
    boolean saved;
    boolean saving;
    boolean late;

    FakePbsJob(final long number, final String brackets, final UserName owner, final Instant created) {
        this.number = number;
        this.brackets = brackets;
        this.owner = owner;
        this.created = created;
    }

    String id() {
        return number + brackets + "." + FakePbsServer.NAME;
    }

    boolean isArray() {
        return waiting != null;
    }

    boolean runs() {
        return letter.equals("R") || letter.equals("S") || letter.equals("E");
    }

    boolean over() {
        return letter.equals("F") || letter.equals("X");
    }

    int ncpus() {
        return Integer.parseInt(resources.getOrDefault("ncpus", "1"));
    }

    /** Parses {@code 2:ncpus=2+1:ncpus=1} into the cores of each chunk. */
    List<Integer> chunks() {
        final List<Integer> chunks = new ArrayList<>();
        for (final String part : resources.getOrDefault("select", "1:ncpus=1").split("\\+")) {
            int count = 1;
            int cores = 1;
            for (final String word : part.split(":")) {
                if (word.matches("\\d+")) {
                    count = Integer.parseInt(word);
                } else if (word.startsWith("ncpus=")) {
                    cores = Integer.parseInt(word.substring(6));
                }
            }
            for (int at = 0; at < count; at++) {
                chunks.add(cores);
            }
        }
        return chunks;
    }

    /** State letters as printed by PBS. Dependencies determine the letter and the substate of a waiting job. */
    void held(final String letters) {
        holds = letters;
        if (letter.equals("Q") || letter.equals("H")) {
            letter = letters.isEmpty() ? "Q" : "H";
            substate = letters.isEmpty() ? 10 : saved ? 60 : 20;
        }
    }
}
