package io.millrace.submit.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How much one user, and all users together, may use of this service. A request beyond a limit is answered with 429, the limit and the remedy. */
@ConfigMapping(prefix = "millrace.submit.limits")
public interface LimitSettings {

    /** Requests of one user that are processed at a time; more wait in a queue of this user. */
    @WithDefault("6")
    int requestsAtOnce();

    /** Requests of one user that wait in this queue. */
    @WithDefault("250")
    int requestsQueued();

    /** Requests per second of one user over a longer time; a burst may be ten times as large. */
    @WithDefault("200")
    int requestsPerSecond();

    /**
     * Requests of one user that wait at a time: for the read model ({@code Millrace-Offset}), or for the agents (a dry run). All users together
     * have twice as many places.
     */
    @WithDefault("4")
    int waitingAtOnce();

    /** Event streams of one user that are open at a time. */
    @WithDefault("10")
    int streams();

    /** Requests without a valid token, per second and address; a burst may be ten times as large. */
    @WithDefault("20")
    int unauthenticatedPerSecond();

    /**
     * MiB of submissions of one user on the log per hour. Each job of a batch counts; the hour may be used at once.
     */
    @WithDefault("256")
    int userMibPerHour();

    /** The same for all users together. */
    @WithDefault("4096")
    int mibPerHour();

    /** Unfinished jobs of one user. */
    @WithDefault("100000")
    int userJobs();

    /** Unfinished jobs of all users. */
    @WithDefault("2000000")
    int jobs();

    /** Mails per hour about the jobs of one user; further ones are dropped, and the next mail gives their number. */
    @WithDefault("500")
    int userMailsPerHour();

    /** Mails per hour about all jobs; further ones are sent later. Each instance counts its own. */
    @WithDefault("10000")
    int mailsPerHour();
}
