package io.millrace.script;

/** Names of environment variables. */
public final class VariableName {

    private VariableName() {}

    public static boolean isValid(final String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]{0,254}");
    }
}
