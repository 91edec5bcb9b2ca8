/**
 * Maps users, projects and software of the site to the accounts, projects and modules of this cluster, and checks for which accounts
 * the agent may act.
 */
@NullMarked
package io.millrace.agent.site;

import org.jspecify.annotations.NullMarked;
