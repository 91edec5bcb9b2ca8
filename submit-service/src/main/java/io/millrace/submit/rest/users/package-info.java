/** The routes that lock and unlock users. */
@NullMarked
package io.millrace.submit.rest.users;

import org.jspecify.annotations.NullMarked;
