/**
 * Who is who on a login node: short-lived tokens for the users who are logged in there.
 *
 * <p>A client connects to a Unix domain socket, the kernel says whose process it is, and the endpoint answers with a token signed by the
 * cluster's own key; submit-service believes the public part that is published as a file. Nobody types a password, and nothing but the
 * kernel's word decides who somebody is. Reads the host's accounts; announces nothing on the log.
 */
@NullMarked
package io.millrace.agent.login;

import org.jspecify.annotations.NullMarked;
