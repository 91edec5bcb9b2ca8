package io.millrace.script.translation;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A script with random sizes, and what its own workload manager gives it.
 *
 * @param threads {@code OMP_NUM_THREADS}, if its workload manager sets it; otherwise 0
 */
record RandomScript(String text, NativeRules size, int threads) {

    static RandomScript slurm(final RandomGenerator random) {
        final int each = 1 + random.nextInt(random.nextBoolean() ? 1 : 6);
        final int asked = 1 + random.nextInt(4);
        final int perNode = 1 + random.nextInt(8);
        final int form = random.nextInt(6);
        final int free = asked + random.nextInt(12);
        final String words = switch (form) {
            case 0 -> "-n " + free;
            case 1 -> "-N " + asked + " --ntasks-per-node=" + perNode;
            case 2 -> "-N " + asked + " -n " + free;
            case 3 -> "--nodes=" + asked;
            case 4 -> "--ntasks-per-node=" + perNode;
            default -> "-n " + free + " --ntasks-per-node=" + perNode;
        };
        final int tasks = switch (form) {
            case 1 -> asked * perNode;
            case 3 -> asked;
            case 4 -> perNode;
            default -> free;
        };
        final int nodes = switch (form) {
            case 0 -> tasks == 1 ? 1 : 0;
            case 4 -> 1;
            case 5 -> Math.ceilDiv(tasks, perNode);
            default -> asked;
        };
        final int cores = tasks * each;
        final long amount = 1 + random.nextInt(5000);
        final int gpu = 1 + random.nextInt(4);
        final int memory = random.nextInt(3);
        final int gpus = random.nextInt(5);
        return new RandomScript(
                "#!/bin/bash\n#SBATCH " + words + (each > 1 ? " -c " + each : "") + "\n"
                        + switch (memory) {
                            case 1 -> "#SBATCH --mem=" + amount + "M\n";
                            case 2 -> "#SBATCH --mem-per-cpu=" + amount + "M\n";
                            default -> "";
                        }
                        + switch (gpus) {
                            case 1 -> "#SBATCH --gpus=" + gpu + "\n";
                            case 2 -> "#SBATCH --gpus-per-node=" + gpu + "\n";
                            case 3 -> "#SBATCH --gpus-per-task=" + gpu + "\n";
                            default -> "";
                        },
                new NativeRules(
                        tasks,
                        cores,
                        nodes,
                        switch (memory) {
                            case 1 -> amount * Math.max(1, nodes);
                            case 2 -> amount * cores;
                            default -> 0;
                        },
                        switch (gpus) {
                            case 1 -> gpu;
                            case 2 -> gpu * Math.max(1, nodes);
                            case 3 -> gpu * tasks;
                            default -> 0;
                        },
                        each),
                0);
    }

    static RandomScript select(final RandomGenerator random) {
        final List<String> chunks = new ArrayList<>();
        final boolean withMemory = random.nextBoolean();
        final boolean withGpus = random.nextInt(4) == 0;
        final boolean withThreads = random.nextInt(3) == 0;
        int processes = 0;
        int cores = 0;
        int count = 0;
        long memory = 0;
        int gpus = 0;
        int threads = 0;
        for (int left = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1; left > 0; left--) {
            final int times = 1 + random.nextInt(4);
            final int ncpus = 1 + random.nextInt(12);
            final int mpiprocs = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(ncpus + 2);
            final int omp = withThreads ? 1 + random.nextInt(4) : 0;
            final int mem = withMemory ? 1 + random.nextInt(9000) : 0;
            final int ngpus = withGpus ? 1 + random.nextInt(3) : 0;
            chunks.add(times + ":ncpus=" + ncpus + (mpiprocs > 0 ? ":mpiprocs=" + mpiprocs : "")
                    + (omp > 0 ? ":ompthreads=" + omp : "") + (mem > 0 ? ":mem=" + mem + "mb" : "")
                    + (ngpus > 0 ? ":ngpus=" + ngpus : ""));
            processes += times * Math.max(1, mpiprocs);
            cores += times * ncpus;
            count += times;
            memory += (long) times * mem;
            gpus += times * ngpus;
            if (threads == 0) {
                threads = omp > 0 ? omp : Math.max(1, ncpus / Math.max(1, mpiprocs));
            }
        }
        final String place = List.of("", "scatter", "pack", "free").get(random.nextInt(4));
        return new RandomScript(
                "#!/bin/bash\n#PBS -l select=" + String.join("+", chunks) + "\n"
                        + (place.isEmpty() ? "" : "#PBS -l place=" + place + "\n"),
                new NativeRules(
                        processes,
                        cores,
                        place.equals("scatter") ? count : place.equals("pack") || count == 1 ? 1 : 0,
                        memory,
                        gpus,
                        0),
                threads);
    }

    static RandomScript nodes(final RandomGenerator random) {
        final List<String> parts = new ArrayList<>();
        int cores = 0;
        int nodes = 0;
        int gpus = 0;
        for (int left = random.nextInt(3) == 0 ? 2 : 1; left > 0; left--) {
            final int times = 1 + random.nextInt(4);
            final int ppn = 1 + random.nextInt(16);
            final int gpu = random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0;
            parts.add(times + ":ppn=" + ppn + (gpu > 0 ? ":gpus=" + gpu : ""));
            nodes += times;
            cores += times * ppn;
            gpus += times * gpu;
        }
        final long amount = 1 + random.nextInt(9000);
        final int memory = random.nextInt(3);
        return new RandomScript(
                "#!/bin/bash\n#PBS -l nodes=" + String.join("+", parts) + "\n"
                        + switch (memory) {
                            case 1 -> "#PBS -l mem=" + amount + "mb\n";
                            case 2 -> "#PBS -l pmem=" + amount + "mb\n";
                            default -> "";
                        },
                new NativeRules(
                        cores,
                        cores,
                        nodes,
                        switch (memory) {
                            case 1 -> amount;
                            case 2 -> amount * cores;
                            default -> 0;
                        },
                        gpus,
                        1),
                0);
    }

    static RandomScript lsf(final RandomGenerator random) {
        final int tasks = 1 + random.nextInt(16);
        final int each = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
        final int ptile = 1 + random.nextInt(6);
        final int form = random.nextInt(3);
        final int hosts = switch (form) {
            case 1 -> 1;
            case 2 -> Math.ceilDiv(tasks, ptile);
            default -> tasks == 1 ? 1 : 0;
        };
        final long amount = 1 + random.nextInt(5000);
        final int memory = random.nextInt(5);
        final int gpu = 1 + random.nextInt(4);
        final int gpus = random.nextInt(4);
        return new RandomScript(
                "#!/bin/bash\n#BSUB -n " + tasks + "\n"
                        + switch (form) {
                            case 1 -> "#BSUB -R span[hosts=1]\n";
                            case 2 -> "#BSUB -R span[ptile=" + ptile + "]\n";
                            default -> "";
                        }
                        + (each > 1 ? "#BSUB -R affinity[core(" + each + ")]\n" : "")
                        + switch (memory) {
                            case 1 -> "#BSUB -R rusage[mem=" + amount + "]\n";
                            case 2 -> "#BSUB -R rusage[mem=" + amount + "/host]\n";
                            case 3 -> "#BSUB -R rusage[mem=" + amount + "/task]\n";
                            default -> "";
                        }
                        + switch (gpus) {
                            case 1 -> "#BSUB -gpu num=" + gpu + "\n";
                            case 2 -> "#BSUB -gpu num=" + gpu + "/task\n";
                            default -> "";
                        },
                new NativeRules(
                        tasks,
                        tasks * each,
                        hosts,
                        switch (memory) {
                            case 1, 2 -> amount * Math.max(1, hosts);
                            case 3 -> amount * tasks;
                            default -> 0;
                        },
                        switch (gpus) {
                            case 1 -> gpu * Math.max(1, hosts);
                            case 2 -> gpu * tasks;
                            default -> 0;
                        },
                        each),
                0);
    }
}
