"""PBS hook, event queuejob: under directed control a job enters with an operator's hold.

Only needed where "scheduling = False" of the server does not keep every scheduler of the site from starting jobs. The word in the resource
"millrace" says that the hold is Millrace's, which lifts it when it starts the job; users can neither ask for the resource nor alter it.
An error here must not keep anybody from submitting: the job is accepted as it is, and the scheduler's being off remains the gate.
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
except Exception as error:  # whatever a version of PBS does not know
    pbs.logmsg(pbs.LOG_WARNING, "millrace_entry: the job enters without a hold: %s" % error)
event.accept()
