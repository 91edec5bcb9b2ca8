/**
 * What PBS Pro, OpenPBS, the classic OpenPBS and Torque write alike: job ids, durations, sizes, times, hold letters, exec hosts, exit
 * figures, and a job (queue, node, server) as a bag of named attributes.
 *
 * <p>Pure reading and writing of text; decides nothing and runs nothing. Everything here is liberal in what it reads: a form that is not
 * known is "not stated", never an exception that takes a whole picture with it, unless the method says so.
 */
@NullMarked
package io.millrace.agent.pbs;

import org.jspecify.annotations.NullMarked;
