#!/usr/bin/perl
# A long computation that saves itself: every few seconds, and when it is asked by USR1. What it did is noted in 'work', so that
# whoever reads it can tell how much was done twice. CHUNKS says how much there is to do, EVERY how many seconds lie between saves.
use strict;
use warnings;
use integer;

my ($chunk, $x) = (0, 1);
if (-e 'state') {
    die "a state, but no restart: what runs here?\n" unless $ENV{MILLRACE_RESTART};
    open my $state, '<', 'state' or die "state: $!\n";
    ($chunk, $x) = split ' ', <$state>;
    close $state;
}

open my $work, '>>', 'work' or die "work: $!\n";
note("segment $ENV{MILLRACE_RESTART} " . time);

my $asked = 0;
$SIG{USR1} = sub { $asked = 1 };
my $saved = time;

while ($chunk < $ENV{CHUNKS}) {
    for (1 .. 1_000_000) {
        $x = $x * 6364136223846793005 + 1442695040888963407;
    }
    note(++$chunk);
    if ($asked or time - $saved >= $ENV{EVERY}) {
        put('state', "$chunk $x\n");
        $saved = time;
        put('saved', "$chunk\n") if $asked;
        $asked = 0;
    }
}
put('result', "$chunk $x\n");

sub note { syswrite $work, "$_[0]\n" or die "work: $!\n" }

sub put { # whole or not at all
    my ($name, $text) = @_;
    open my $file, '>', "$name.new" or die "$name: $!\n";
    print $file $text or die "$name: $!\n";
    close $file or die "$name: $!\n";
    rename "$name.new", $name or die "$name: $!\n";
}
