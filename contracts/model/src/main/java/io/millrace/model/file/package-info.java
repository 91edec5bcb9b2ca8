/**
 * Reading files of global jobs while they are on another cluster. submit-service requests, the agent of the cluster answers. Both topics are
 * kept for minutes only, because answers contain data of users.
 */
@NullMarked
package io.millrace.model.file;

import org.jspecify.annotations.NullMarked;
