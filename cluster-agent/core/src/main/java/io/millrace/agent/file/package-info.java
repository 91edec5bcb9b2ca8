/**
 * Answers requests to read files of jobs, with the rights of the owner. It changes nothing, so it does not use the commands of the log: requests and
 * answers have their own topics, which are kept for minutes, and a slow file system delays no command.
 */
@NullMarked
package io.millrace.agent.file;

import org.jspecify.annotations.NullMarked;
