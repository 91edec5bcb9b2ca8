/*
 * What a job runs: the script that the agent gives to sbatch, qsub or bsub must contain the script, arguments and variables that were signed.
 *
 *   #!/bin/bash
 *   {
 *   PROLOGUE                    blocks of the file "prologue", in which only data differs
 *   exec INTERPRETER /dev/fd/3 ARGUMENTS 3<BODY
 *   }
 *
 * The interpreter is that of the first line of the signed script. Torque gets this inside of a script that forwards signals, LSF compressed
 * inside of a script that expands it (JobWrapper, JobPreamble, SignalForwardingScript and JobScript of the agent).
 */
#include "become.h"
#include <ctype.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#define MAX_BLOCKS 500
#define MAX_STREAMS 100

static const struct request *request;
static char *blocks[MAX_BLOCKS];
static size_t block_count;
static const char *body; /* the user's script */
static size_t body_size;
static char *variables; /* NAME=value, each with a zero byte */
static size_t variables_size;
static const char *streams[MAX_STREAMS];
static size_t stream_count;

static _Noreturn void unknown(const char *at)
{
    refuse("the job's script has a line that this program does not know: '%s'; install the helper of the agent's release", safe(at));
}

/* Whether the text begins with the other; then *at is behind it. */
static int skip(const char **at, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0) return 0;
    *at += length;
    return 1;
}

static void require(const char **at, const char *text)
{
    if (!skip(at, text)) unknown(*at);
}

/* Reads a word in single quotes, '...' or $'...', as ShellQuote writes it; NULL if there is none. */
static char *quoted(const char **at)
{
    const char *c = *at;
    char *text = claim(calloc(1, strlen(c) + 1));
    size_t n = 0;
    if (skip(&c, "$'")) {
        for (; *c != '\''; c++) {
            unsigned code = 0;
            if ((unsigned char)*c < ' ') return NULL;
            if (*c != '\\')
                text[n++] = *c;
            else if (c[1] == '\\' || c[1] == '\'')
                text[n++] = *++c;
            else if (strspn(c + 1, "01234567") >= 3 && sscanf(c + 1, "%3o", &code) == 1 && code > 0 && code < 256) {
                text[n++] = (char)code;
                c += 3;
            } else
                return NULL;
        }
        *at = c + 1;
        return text;
    }
    do {
        if (*c != '\'') return NULL;
        for (c++; *c != '\''; c++) {
            if (*c == 0 || *c == '\n') return NULL;
            text[n++] = *c;
        }
        c++;
    } while (strncmp(c, "\\''", 3) == 0 && (text[n++] = '\'', c += 2, 1));
    *at = c;
    return text;
}

static int only(const char **at, const char *characters)
{
    const size_t length = strspn(*at, characters);
    *at += length;
    return length > 0;
}

/* ---- the prologue ---- */

static void read_blocks(void)
{
    char *text = root_file(required("prologue"));
    while (*text == '#') text += strcspn(text, "\n") + 1;
    for (char *next; text != NULL; text = next) {
        next = strstr(text, "\n\n");
        if (next != NULL) {
            next[1] = 0;
            next += 2;
        }
        while (*text == '\n') text++;
        if (block_count == MAX_BLOCKS) refuse("'%s' has more than %d blocks", required("prologue"), MAX_BLOCKS);
        if (*text != 0) blocks[block_count++] = text;
    }
}

static int add_variable(const char **at)
{
    const char *name = *at;
    const char *c = name + strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    const size_t length = (size_t)(c - name);
    if (length == 0 || isdigit((unsigned char)*name) || *c++ != '=') return 0;
    const char *value = quoted(&c);
    if (value == NULL || variables_size + length + strlen(value) + 2 > MAX_FILE) return 0;
    variables_size += (size_t)sprintf(variables + variables_size, "%.*s=%s", (int)length, name, value) + 1;
    *at = c;
    return 1;
}

static int add_stream(const char *path)
{
    if (path == NULL || stream_count == MAX_STREAMS) return 0;
    streams[stream_count++] = path;
    return 1;
}

/* Names of modules, never a path: such a file would be run. */
static int is_module(const char *name)
{
    return name != NULL && is_word(name, "._+-/:@=,") && name[0] != '/' && name[0] != '.' && name[0] != '-' && strstr(name, "..") == NULL;
}

/* Reads what a block names @{TYPE}. */
static int is_data(const char *type, size_t length, const char **at)
{
    const char *word;
#define IS(name) (length == strlen(name) && strncmp(type, name, length) == 0)
    if (IS("number")) return only(at, "0123456789");
    if (IS("parts")) return only(at, "0123456789: ");
    if (IS("components")) return only(at, "abcdefghijklmnopqrstuvwxyz,");
    if (IS("attempt")) return skip(at, request->attempt);
    if (IS("job")) return skip(at, field("job"));
    if (IS("variable")) return add_variable(at);
    if ((word = quoted(at)) == NULL) return 0;
    if (IS("text")) return 1;
    if (IS("place")) return strcmp(word, place) == 0;
    if (IS("cluster")) return strcmp(word, request->cluster) == 0;
    if (IS("stream")) return add_stream(word);
    if (IS("module")) return is_module(word);
#undef IS
    refuse("'%s' has an unknown type '%s'", required("prologue"), safe(type));
}

/* Whether the text begins with this block; then *at is behind it. */
static int is_block(const char *block, const char **at)
{
    const char *c = *at;
    while (*block) {
        if (strncmp(block, "@{", 2) == 0) {
            const char *stop = strchr(block, '}');
            if (stop == NULL || !is_data(block + 2, (size_t)(stop - block) - 2, &c)) return 0;
            block = stop + 1;
        } else if (*block++ != *c++)
            return 0;
    }
    *at = c;
    return 1;
}

/* The block that begins with this line, without it. */
static const char *named_block(const char *line)
{
    for (size_t i = 0; i < block_count; i++)
        if (strncmp(blocks[i], line, strlen(line)) == 0) return blocks[i] + strlen(line);
    refuse("'%s' has no block '%.20s'", required("prologue"), safe(line));
}

static int is_any_block(const char **at)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i][0] != '@' && is_block(blocks[i], at)) return 1;
    return 0;
}

/* ---- the body ---- */

/* The lines of a here-document before its end, as bash finds it; *at is behind the end. */
static char *here_document(const char **at, const char *word)
{
    const size_t length = strlen(word);
    const char *begin = *at, *line = begin;
    while (strncmp(line, word, length) != 0 || line[length] != '\n') {
        line = strchr(line, '\n');
        if (line++ == NULL) unknown(begin);
    }
    char *text = claim(calloc(1, (size_t)(line - begin) + 1));
    memcpy(text, begin, (size_t)(line - begin));
    *at = line + length + 1;
    return text;
}

/* Reads <<'WORD' and the text behind it, up to the end of the line; returns WORD. */
static char *here_word(const char **at, const char *beginning)
{
    const char *word = *at + 3 + strlen(beginning);
    if (!skip(at, "<<'") || !skip(at, beginning) || !only(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")) unknown(*at);
    char *copy = claim(calloc(1, (size_t)(*at - word) + strlen(beginning) + 1));
    strncat(strcpy(copy, beginning), word, (size_t)(*at - word));
    require(at, "'");
    return copy;
}

static char *decoded(const char *base64, size_t *size)
{
    char *lines = claim(calloc(1, strlen(base64) + 1));
    size_t n = 0;
    for (const char *c = base64; *c; c++)
        if (*c != '\n') lines[n++] = *c;
    char *bytes = claim(calloc(1, n + 4));
    const int length = EVP_DecodeBlock((unsigned char *)bytes, (unsigned char *)lines, (int)n);
    if (length < 0 || n % 4 != 0) refuse("the job's script cannot be decoded");
    *size = (size_t)length - (n > 0 && lines[n - 1] == '=') - (n > 1 && lines[n - 2] == '=');
    return bytes;
}

static size_t size_in(const char **at)
{
    char *stop;
    const unsigned long size = strtoul(*at, &stop, 10);
    if (stop == *at || size > MAX_FILE) unknown(*at);
    *at = stop;
    return (size_t)size;
}

/* The script of the user, in one of the forms that JobWrapper writes. */
static void read_body(const char **at)
{
    int whole = 1, piped = 1;
    size_t size = 0;
    char *word, *text;
    if (skip(at, " <(base64 -d <")) {
        *at -= 1;
        word = here_word(at, "MILLRACE_");
        require(at, "\n");
        text = decoded(here_document(at, word), &body_size);
    } else {
        int barred = 0;
        if (skip(at, " <(head -c ")) {
            size = size_in(at);
            whole = 0;
            require(at, " ");
        } else if (skip(at, " <(sed 's/^|//' "))
            barred = 1;
        else {
            piped = 0;
            *at -= 1; /* 3<<'WORD' */
        }
        word = here_word(at, "MILLRACE_");
        if (barred && skip(at, " | head -c ")) {
            size = size_in(at);
            whole = 0;
        }
        require(at, "\n");
        text = here_document(at, word);
        if (barred) {
            char *to = text;
            for (const char *from = text; *from;) {
                if (*from++ != '|') unknown(from - 1);
                do *to++ = *from;
                while (*from++ != '\n');
            }
            *to = 0;
        }
        for (const char *c = text; *c; c++) /* bash loses them */
            if ((*c > 0 && *c < ' ' && strchr("\t\n\r\f", *c) == NULL) || *c == 0x7f) unknown(c);
        body_size = whole ? strlen(text) : size;
        if (!whole && (strlen(text) != size + 1 || text[size] != '\n')) refuse("the job's script has another size");
    }
    if (piped) require(at, ")\n");
    body = text;
}

/* The words of a "#!" line as the kernel reads them: a path and at most one argument. */
static void split_first_line(char **program, char **argument)
{
    static const char blanks[] = " \t\v\f\r";
    *program = *argument = NULL;
    if (body_size < 2 || strncmp(body, "#!", 2) != 0) return;
    char *line = claim(strndup(body + 2, strcspn(body + 2, "\n\r")));
    size_t length = strlen(line);
    while (length > 0 && strchr(blanks, line[length - 1]) != NULL) line[--length] = 0;
    line += strspn(line, blanks);
    if (*line == 0) return;
    *program = line;
    line += strcspn(line, blanks);
    if (*line == 0) return;
    *line++ = 0;
    *argument = line + strspn(line, blanks);
}

static void require_signed(const char *name, const char *bytes, size_t size)
{
    char hex[65];
    digest(bytes, size, hex);
    if (strcmp(hex, field(name)) != 0) refuse("the %s of the job is not the one that was signed", name);
}

/* "exec INTERPRETER /dev/fd/3 ARGUMENTS 3<BODY": what the signed script names, with the signed arguments. */
static void check_call(const char **at)
{
    char *words[3] = {NULL}, *arguments = claim(calloc(1, strlen(*at) + 1)), *program, *argument;
    size_t n = 0, size = 0;
    require(at, "exec ");
    if (skip(at, "/bin/sh "))
        words[n++] = joined("/bin/sh", "", "", "", "");
    else
        while (n < 2 && (words[n] = quoted(at)) != NULL) {
            n++;
            require(at, " ");
        }
    if (n == 0) unknown(*at);
    require(at, "/dev/fd/3");
    while (skip(at, " '") || skip(at, " $'")) {
        while ((*at)[-1] != ' ') --*at;
        const char *word = quoted(at);
        if (word == NULL) unknown(*at);
        size += (size_t)sprintf(arguments + size, "%s", word) + 1;
    }
    require(at, " 3<");
    read_body(at);
    require_signed("script", body, body_size);
    require_signed("arguments", arguments, size);
    split_first_line(&program, &argument);
    if (program == NULL) {
        const int shell = words[0][0] == '/' && words[1] == NULL && (strcmp(words[0], "/bin/sh") == 0 || is_in_script(words[0]));
        if (!shell) refuse("the signed script does not name the interpreter '%s'", safe(words[0]));
    } else if (strcmp(words[0], program) != 0 || (argument == NULL) != (words[1] == NULL)
        || (argument != NULL && strcmp(words[1], argument) != 0))
        refuse("the signed script does not name the interpreter '%s'", safe(words[0]));
}

/* Whether a path is what the variable names; a pattern such as %j stands for any part of a name. */
static int is_expanded(const char *path, const char *pattern)
{
    static int steps;
    if (++steps > 1000000) refuse("the pattern of a stream is too complicated");
    if (*pattern == 0) return *path == 0;
    const size_t digits = strspn(pattern + 1, "0123456789");
    if (*pattern != '%' || digits > 2 || !(isalpha((unsigned char)pattern[1 + digits]) || pattern[1 + digits] == '%'))
        return *path == *pattern && is_expanded(path + 1, pattern + 1);
    for (;; path++) {
        if (is_expanded(path, pattern + 2 + digits)) return 1;
        if (*path == 0 || *path == '/') return 0;
    }
}

/* A stream of the job: its own output file, or a file in its directory that a signed variable names. */
static int is_stream(const char *path)
{
    const char *own = joined("millrace-", field("job"), "", "", "");
    static const char *const names[] = {"MILLRACE_OUTPUT=", "MILLRACE_ERROR=", "MILLRACE_INPUT=", NULL};
    if (strcmp(path, "/dev/null") == 0 || strcmp(path, joined(own, ".out", "", "", "")) == 0
        || strcmp(path, joined(own, "_%a.out", "", "", "")) == 0)
        return 1;
    for (size_t at = 0; at < variables_size; at += strlen(variables + at) + 1)
        for (size_t i = 0; names[i] != NULL; i++)
            if (strncmp(variables + at, names[i], strlen(names[i])) == 0 && is_normal(joined("/", path, "", "", ""))
                && is_expanded(path, variables + at + strlen(names[i])))
                return 1;
    return 0;
}

/* ---- the forms ---- */

static void check_wrapped(const char *text)
{
    const char *at = text;
    variables = claim(calloc(1, MAX_FILE + 1));
    require(&at, "#!/bin/bash\n{\n");
    while (is_any_block(&at)) {}
    check_call(&at);
    require(&at, "}\n");
    if (*at != 0) unknown(at);
    require_signed("variables", variables, variables_size);
    for (size_t i = 0; i < stream_count; i++)
        if (!is_stream(streams[i])) refuse("'%s' is not a file of the job's streams", safe(streams[i]));
}

static void check_torque(const char *text)
{
    const char *at = text;
    if (!is_block(named_block("@torque before\n"), &at)) unknown(at);
    require(&at, "bash /dev/fd/4 4");
    char *word = here_word(&at, "MILLRACE_BESIDE_");
    require(&at, " &\n");
    const char *inside = here_document(&at, word);
    if (!is_block(named_block("@torque after\n"), &at) || *at != 0) unknown(at);
    check_wrapped(inside);
}

static void check_lsf(const char *text)
{
    const char *at = text;
    size_t size;
    require(&at, joined("#!/bin/bash\n# millrace ", request->attempt, "\n{\nexec /bin/bash -l <(base64 -d ", "", ""));
    char *word = here_word(&at, "MILLRACE_");
    require(&at, " | gzip -dc\n");
    char *packed = decoded(here_document(&at, word), &size);
    require(&at, ")\n}\n");
    if (*at != 0) unknown(at);
    char *unpacked = claim(calloc(1, 4 * MAX_FILE + 1));
    z_stream stream = {.next_in = (Bytef *)packed, .avail_in = (uInt)size, .next_out = (Bytef *)unpacked, .avail_out = 4 * MAX_FILE};
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK || inflate(&stream, Z_FINISH) != Z_STREAM_END || stream.avail_in != 0)
        refuse("the job's script cannot be decompressed");
    if (strlen(unpacked) != stream.total_out) refuse("the job's script contains a zero byte");
    check_wrapped(unpacked);
}

/* The contents of a descriptor, without zero bytes. */
static char *contents(int fd)
{
    char *text = claim(calloc(1, 4 * MAX_FILE + 1));
    size_t size = 0;
    for (ssize_t n; (n = read(fd, text + size, 4 * MAX_FILE - size)) > 0;) size += (size_t)n;
    if (size == 4 * MAX_FILE) refuse("the job's script is larger than 4 MiB");
    if (strlen(text) != size) refuse("the job's script contains a zero byte");
    return text;
}

static void pass_on(const char *text)
{
    const int fd = memfd_create("script", 0);
    const size_t size = strlen(text);
    for (size_t n = 0; n < size;) {
        const ssize_t written = fd < 0 ? -1 : write(fd, text + n, size - n);
        if (written <= 0) refuse("cannot pass the script");
        n += (size_t)written;
    }
    if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0 || dup2(fd, 0) < 0) refuse("cannot pass the script");
}

void check_job_script(const struct request *r)
{
    static const char *const prepare[] = {"test", "mkdir", "install", "qdel", NULL};
    const char *slash = strrchr(r->argv[0], '/'), *program = slash == NULL ? r->argv[0] : slash + 1;
    for (size_t i = 0; prepare[i] != NULL; i++)
        if (strcmp(program, prepare[i]) == 0) return;
    request = r;
    read_blocks();
    int file = 0; /* PBS Pro: the script is in a file, which dd has written */
    if (strcmp(program, "qsub") == 0)
        for (size_t i = 0; i < r->argc; i++) file |= strcmp(r->argv[i], "--") == 0;
    if (file) {
        const char *path = joined(".millrace-", r->attempt, ".job", "", "");
        const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0) refuse("cannot read '%s'", path);
        check_wrapped(contents(fd));
        pass_on("");
        return;
    }
    const char *text = contents(0);
    if (strcmp(program, "bsub") == 0)
        check_lsf(text);
    else if (strcmp(program, "qsub") == 0)
        check_torque(text);
    else
        check_wrapped(text);
    pass_on(text);
}

/* ---- options of the command ---- */

/* Whether each word of the text, other than a number, is in the signed script. So an option that could run a program or change the
 * environment of the job is one that its owner wrote. */
int is_in_script(const char *text)
{
    static const char word_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@-";
    if (body == NULL) return 0;
    for (const char *c = text; *c;) {
        const size_t length = strspn(c, word_characters);
        if (length > 0 && strspn(c, "0123456789") != length && memmem(body, body_size, c, length) == NULL) return 0;
        c += length == 0 ? 1 : length;
    }
    return 1;
}

/* A file name for Slurm, which doubles each %. */
int is_stream_option(const char *option)
{
    char *path = joined(option, "", "", "", ""), *to = path;
    const size_t length = strlen(place);
    for (const char *from = path; *from; from++) {
        *to++ = *from;
        if (strncmp(from, "%%", 2) == 0) from++;
    }
    *to = 0;
    return is_stream(strncmp(path, place, length) == 0 && path[length] == '/' ? path + length + 1 : path);
}

/* Variables by which the agent finds the job again: MILLRACE_NAME=value,... */
int are_tags(const char *list)
{
    char *next, *copy = joined(list, "", "", "", "");
    for (char *item = strtok_r(copy, ",", &next); item != NULL; item = strtok_r(NULL, ",", &next))
        if (strncmp(item, "MILLRACE_", 9) != 0 || !is_word(item, "._%=-")) return 0;
    return 1;
}

/* NAME=value,... of qsub -l, without those that name programs (Torque: prologue, epilogue). */
int are_resources(const char *list)
{
    static const char *const names[] = {"walltime=", "nodes=", "mem=", "select=", "place=", "host=", "software=", "qos=", "advres=", NULL};
    char *next, *copy = joined(list, "", "", "", "");
    for (char *item = strtok_r(copy, ",", &next); item != NULL; item = strtok_r(NULL, ",", &next)) {
        int known = is_in_script(item);
        for (size_t i = 0; names[i] != NULL; i++) known |= strncmp(item, names[i], strlen(names[i])) == 0;
        if (!known) return 0;
    }
    return 1;
}
