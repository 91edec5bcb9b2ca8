/**
 * Issues short-lived tokens to the users of a login node.
 *
 * <p>A client connects to a Unix domain socket. The kernel identifies the user of the client process, and the endpoint answers with a token
 * signed by the key of the cluster. submit-service trusts the public key, which is published as a file. No password is needed. The package
 * reads the accounts of the host; it writes nothing to the log.
 */
@NullMarked
package io.millrace.agent.login;

import org.jspecify.annotations.NullMarked;
