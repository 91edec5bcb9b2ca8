package io.millrace.testing.kept.domain;

public record Job(String name) {}
