package io.millrace.story;

/** The demonstration of {@code ./millrace demo}. */
public final class Demo {

    static final Scenario SCENARIO = (site, participants) -> {
        final DemoScenario demo = new DemoScenario(participants);
        return new Scenario.Outcome(demo.run(), demo.table());
    };

    private Demo() {}

    public static void main(final String[] arguments) {
        SCENARIO.asProcess(Demo.class, arguments);
    }
}
