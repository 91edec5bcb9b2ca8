"""PBS hook for the event queuejob: under directed control, sets an operator hold on each new job.

Needed only if "scheduling = False" does not stop every scheduler of the site. The value of the resource "millrace" marks the hold as
Millrace's, which releases it when it starts the job. Users can neither request nor change that resource. If the hook fails, the job is
accepted without a hold, so that users can always submit.
"""

import pbs

event = pbs.event()
try:
    server = pbs.server()
    directed = str(getattr(server, "scheduling", True)).strip().lower() in ("false", "0")
    job = event.job
    held = str(job.Hold_Types or "n")
    if directed and "o" not in held and "s" not in held:
        letters = "".join(letter for letter in held if letter in "u") + "o"
        job.Hold_Types = pbs.hold_types(letters)
        job.Resource_List["millrace"] = "entry.0"
except Exception as error:  # e.g. an attribute that this version of PBS lacks
    pbs.logmsg(pbs.LOG_WARNING, "millrace_entry: job accepted without a hold: %s" % error)
event.accept()
