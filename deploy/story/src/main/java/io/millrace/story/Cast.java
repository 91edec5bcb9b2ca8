package io.millrace.story;

import java.util.List;

/** Who plays in a story, each logged in, and what is seen of the stack. */
record Cast(Person operator, Person alice, Person bob, Board board, Views views, Show show) {

    static Cast of(final Site site, final Show show) {
        final Person operator = site.person("operator");
        final Person alice = site.person("alice");
        final Person bob = site.person("bob");
        List.of(operator, alice, bob).forEach(Person::logIn);
        final Views views = new Views(new Api(site, operator.tokenFile()));
        return new Cast(operator, alice, bob, new Board(views, show), views, show);
    }
}
