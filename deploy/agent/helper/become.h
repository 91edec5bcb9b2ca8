/* What the two parts of millrace-become share: millrace-become.c, and job-script.c with the check of what a job runs. */
#define _GNU_SOURCE
#include <stddef.h>

#define MAX_FILE (1024 * 1024)
#define MAX_LINES 2000

struct request {
    const char *kind, *cluster, *account, *uid, *signature, *attempt, *directory, *limit;
    char **argv, **variables;
    size_t argc, variable_count;
};

/* The directory of the job. */
extern const char *place;

_Noreturn void refuse(const char *format, ...);
/* The text without characters that a terminal or a log interprets. */
const char *safe(const char *text);
void *claim(void *memory);
char *joined(const char *a, const char *b, const char *c, const char *d, const char *e);
char *root_file(const char *path);
const char *required(const char *name);
/* A field of the signed text. */
const char *field(const char *name);
void digest(const char *bytes, size_t length, char hex[65]);
int is_normal(const char *path);
int is_word(const char *text, const char *more);

/* Verifies the script that a command submits or writes, and keeps it for the checks below. */
void check_job_script(const struct request *r);
int is_in_script(const char *text);
int is_stream_option(const char *path);
int are_tags(const char *list);
int are_resources(const char *list);
