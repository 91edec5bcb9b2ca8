package io.millrace.story;

/** The story that {@code ./millrace demo} tells. */
public final class Demo {

    static final Telling STORY = (site, cast) -> {
        final Story story = new Story(cast);
        return new Telling.End(story.tell(), story.table());
    };

    private Demo() {}

    public static void main(final String[] arguments) {
        STORY.asProcess(Demo.class, arguments);
    }
}
