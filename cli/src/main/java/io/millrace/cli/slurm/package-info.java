/**
 * The commands of Slurm for all clusters at once: {@code squeue}, {@code sacct} and the others as clients of the REST API, with the options,
 * formats, words and exit codes of Slurm, so that programs written for Slurm run unchanged. docs/guide/slurm-commands.md lists the differences.
 */
@NullMarked
package io.millrace.cli.slurm;

import org.jspecify.annotations.NullMarked;
