/**
 * The proof of migration: jobs move between two clusters on separate hosts while the link is cut, a disk is full, and each part that moves
 * them is killed in each state of a job. Checks that nothing is lost, and that nothing runs twice.
 */
@NullMarked
package io.millrace.lab.campaigns.migration;

import org.jspecify.annotations.NullMarked;
