/**
 * The shared language of Millrace: identifiers, quantities and reasons.
 *
 * <p>Nothing here decides, reads or announces anything. Every module speaks in these records, the log carries them as JSON,
 * and the glossary ({@code docs/glossary.md}) uses the same words. The module knows only the JDK.
 */
@NullMarked
package io.millrace.model;

import org.jspecify.annotations.NullMarked;
