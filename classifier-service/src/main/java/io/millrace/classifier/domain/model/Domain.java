package io.millrace.classifier.domain.model;

/**
 * A set of values: all values of a characteristic (D_i of the paper), those that a class allows (D_ij), or those that a job requires. A
 * single value is the domain of one element.
 */
public sealed interface Domain permits NumberRange, OneOf, SetDomain, TextPattern {

    boolean isEmpty();

    /** Whether every value of the other domain belongs to this one. */
    boolean includes(Domain other);

    /** Whether a value may belong to both. */
    boolean intersects(Domain other);
}
