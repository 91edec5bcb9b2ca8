/**
 * Who may act as whom.
 *
 * <p>Decides: for which users an issuer of login tokens may vouch, and who is a member of a project.
 */
@NullMarked
package io.millrace.submit.domain.identity;

import org.jspecify.annotations.NullMarked;
