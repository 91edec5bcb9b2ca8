package io.millrace.sitefiles;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a record: a single value in place of the mapping sets the first component, as {@code anna: 16} for {@code anna: {cores: 16}}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Shorthand {}
