package io.millrace.story;

/** The users of a scenario, each logged in, and the means to observe the stack. */
public record Participants(
        SiteUser operator,
        SiteUser alice,
        SiteUser bob,
        QueueMonitor queues,
        RestQueries queries,
        ProgressOutput output) {

    public static Participants of(final Site site, final ProgressOutput output) {
        final SiteUser operator = site.user("operator");
        final SiteUser alice = site.user("alice");
        final SiteUser bob = site.user("bob");
        site.accounts().forEach(account -> site.user(account.role()).logIn());
        final RestQueries queries = new RestQueries(new RestClient(site, operator.tokenFile()));
        return new Participants(operator, alice, bob, new QueueMonitor(queries, output), queries, output);
    }
}
