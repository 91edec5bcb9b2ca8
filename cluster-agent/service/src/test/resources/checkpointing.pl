#!/usr/bin/perl
# A long computation that saves its state every EVERY seconds and on signal USR1. After a requested save it waits for its termination for
# a while, since further work would be repeated. The file 'work' records each chunk, so that repeated work can be counted. CHUNKS is the
# number of chunks. PAUSES lists, for each run that will be interrupted, the chunk after which it waits for the signal.
use strict;
use warnings;
use integer;

my ($chunk, $x) = (0, 1);
if (-e 'state') {
    die "a state file exists, but this is not a restart\n" unless $ENV{MILLRACE_RESTART};
    open my $state, '<', 'state' or die "state: $!\n";
    ($chunk, $x) = split ' ', <$state>;
    close $state;
}

open my $work, '>>', 'work' or die "work: $!\n";
note("segment $ENV{MILLRACE_RESTART} " . time);

my $requested = 0;
$SIG{USR1} = sub { $requested = 1 };
my $saved = time;
my $pause = (split /,/, $ENV{PAUSES} // '')[$ENV{MILLRACE_RESTART}] // 0;

while ($chunk < $ENV{CHUNKS}) {
    for (1 .. 1_000_000) {
        $x = $x * 6364136223846793005 + 1442695040888963407;
    }
    note(++$chunk);
    sleep 1 until $requested or $chunk != $pause;
    if ($requested or time - $saved >= $ENV{EVERY}) {
        put('state', "$chunk $x\n");
        $saved = time;
        if ($requested) {
            put('saved', "$chunk\n");
            sleep 60;
        }
        $requested = 0;
    }
}
put('result', "$chunk $x\n");

sub note { syswrite $work, "$_[0]\n" or die "work: $!\n" }

sub put { # atomically
    my ($name, $text) = @_;
    open my $file, '>', "$name.new" or die "$name: $!\n";
    print $file $text or die "$name: $!\n";
    close $file or die "$name: $!\n";
    rename "$name.new", $name or die "$name: $!\n";
}
