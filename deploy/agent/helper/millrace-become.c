/*
 * millrace-become: the only program that the agent's account may run as root (deploy/agent/sudoers.d/millrace). It becomes the owner of a
 * job and runs one command of a fixed list, if submit-service has signed that the owner wants it, in the directory that follows from the
 * signature. No argument passes through a shell. docs/adr/0036 says what is checked and why; deploy/agent/README.md how to install it.
 *
 *   millrace-become <request [input of the command]        8 digits with the length of the request, then fields that end with a zero byte:
 *       form kind cluster account uid signature attempt directory limit, number of arguments, arguments, number of variables, variables
 *   millrace-become signal ACCOUNT UID SIGNAL SESSION
 */
#include "become.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef CONFIG
#define CONFIG "/etc/millrace/become.conf"
#endif
#define FORM "1"
#define REFUSED 77
#define MAX_REQUEST (1024 * 1024)
#define MAX_WORDS 20000
#define MAX_KEYS 16

_Noreturn void refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("millrace-become: ", stderr);
    vfprintf(stderr, format, values); /* texts of the caller are printed by safe() only */
    fputc('\n', stderr);
    va_end(values);
    exit(REFUSED);
}

/* The text without characters that a terminal or a log interprets. */
const char *safe(const char *text)
{
    static char buffers[2][200];
    static int turn;
    char *shown = buffers[turn ^= 1];
    size_t n = 0;
    for (; *text && n < sizeof buffers[0] - 1; text++)
        shown[n++] = isprint((unsigned char)*text) ? *text : '?';
    shown[n] = 0;
    return shown;
}

void *claim(void *memory)
{
    if (memory == NULL) refuse("out of memory");
    return memory;
}

char *joined(const char *a, const char *b, const char *c, const char *d, const char *e)
{
    char *text = claim(malloc(strlen(a) + strlen(b) + strlen(c) + strlen(d) + strlen(e) + 1));
    return strcat(strcat(strcat(strcat(strcpy(text, a), b), c), d), e);
}

/* ---- files of root: configuration, keys, list of commands ---- */

/* The contents of a file that only root can change. */
char *root_file(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) refuse("cannot read '%s': %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode) || info.st_uid != 0 || (info.st_mode & (S_IWGRP | S_IWOTH)))
        refuse("'%s' must be a file of root that no other account can write", path);
    if (info.st_size == 0 || info.st_size > MAX_FILE) refuse("'%s' is empty or larger than 1 MiB", path);
    char *text = claim(calloc(1, (size_t)info.st_size + 1));
    for (ssize_t n, at = 0; at < info.st_size; at += n)
        if ((n = read(fd, text + at, (size_t)(info.st_size - at))) <= 0) refuse("cannot read '%s'", path);
    close(fd);
    if (strlen(text) != (size_t)info.st_size) refuse("'%s' contains a zero byte", path);
    return text;
}

/* Splits a text into lines, without comments and empty lines. */
static size_t lines_of(char *text, char **lines, size_t most)
{
    size_t n = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        if (*line != '#') {
            if (n == most) refuse("the configuration files have more than %d lines", MAX_LINES);
            lines[n++] = line;
        }
    return n;
}

static char *config[MAX_LINES];
static size_t config_lines;

/* The value of the nth line "NAME VALUE"; NULL if there are fewer. */
static const char *setting(const char *name, size_t nth)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < config_lines; i++)
        if (strncmp(config[i], name, length) == 0 && config[i][length] == ' ' && nth-- == 0)
            return config[i] + length + 1;
    return NULL;
}

const char *required(const char *name)
{
    const char *value = setting(name, 0);
    if (value == NULL || *value == 0) refuse("'%s' has no line '%s'", CONFIG, name);
    return value;
}

/* Whether a line "NAME FIRST REST" exists; REST in *rest. */
static int pair(const char *name, const char *first, const char **rest)
{
    const size_t length = strlen(first);
    const char *value;
    for (size_t i = 0; (value = setting(name, i)) != NULL; i++)
        if (strncmp(value, first, length) == 0 && value[length] == ' ') {
            *rest = value + length + 1;
            return 1;
        }
    return 0;
}

/* ---- the request ---- */

static void read_exactly(char *to, size_t length)
{
    for (ssize_t n; length > 0; to += n, length -= (size_t)n)
        if ((n = read(0, to, length)) <= 0) refuse("the request is incomplete");
}

static size_t number(const char *text, size_t most)
{
    size_t value = 0;
    if (*text == 0 || strlen(text) > 9) refuse("'%s' is not a number", safe(text));
    for (; *text; text++) {
        if (!isdigit((unsigned char)*text)) refuse("'%s' is not a number", safe(text));
        value = value * 10 + (size_t)(*text - '0');
    }
    if (value > most) refuse("%zu is more than %zu", value, most);
    return value;
}

static char *at, *end;

static char *next_field(void)
{
    char *field = at;
    char *stop = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    if (stop == NULL) refuse("the request has too few fields");
    at = stop + 1;
    return field;
}

static char **next_list(size_t *count)
{
    *count = number(next_field(), MAX_WORDS);
    char **list = claim(calloc(*count + 1, sizeof *list));
    for (size_t i = 0; i < *count; i++) list[i] = next_field();
    return list;
}

static struct request read_request(void)
{
    char digits[9] = {0};
    struct request r;
    read_exactly(digits, 8);
    const size_t length = number(digits, MAX_REQUEST);
    at = claim(calloc(1, length + 1));
    end = at + length;
    read_exactly(at, length);
    if (strcmp(next_field(), FORM) != 0) refuse("the request has another form; install the helper of the agent's release");
    r.kind = next_field();
    r.cluster = next_field();
    r.account = next_field();
    r.uid = next_field();
    r.signature = next_field();
    r.attempt = next_field();
    r.directory = next_field();
    r.limit = next_field();
    r.argv = next_list(&r.argc);
    r.variables = next_list(&r.variable_count);
    if (at != end) refuse("the request has extra fields");
    if (r.argc == 0) refuse("the request names no program");
    return r;
}

/* ---- the owner ---- */

static struct passwd *checked_owner(const char *name, const char *uid)
{
    struct passwd *owner = getpwnam(name);
    if (owner == NULL || strcmp(owner->pw_name, name) != 0) refuse("account '%s' not found", safe(name));
    if (owner->pw_uid != number(uid, INT_MAX)) refuse("account '%s' does not have uid %s", owner->pw_name, uid);
    if (owner->pw_uid == 0 || owner->pw_gid == 0 || owner->pw_uid < number(required("min-uid"), INT_MAX))
        refuse("account '%s' is a system account (uid %s)", owner->pw_name, uid);
    const struct group *users = getgrnam(required("group"));
    if (users == NULL) refuse("group '%s' not found", required("group"));
    gid_t groups[1024];
    int count = 1024;
    if (getgrouplist(owner->pw_name, owner->pw_gid, groups, &count) < 0) refuse("'%s' is in too many groups", owner->pw_name);
    for (int i = 0; i < count; i++)
        if (groups[i] == users->gr_gid) return owner;
    refuse("account '%s' is not a member of group '%s'", owner->pw_name, users->gr_name);
}

static void become(const struct passwd *owner)
{
    if (initgroups(owner->pw_name, owner->pw_gid) != 0 || setresgid(owner->pw_gid, owner->pw_gid, owner->pw_gid) != 0
        || setresuid(owner->pw_uid, owner->pw_uid, owner->pw_uid) != 0)
        refuse("cannot become '%s': %s", owner->pw_name, strerror(errno));
    if (setresuid(0, 0, 0) == 0 || geteuid() != owner->pw_uid) refuse("the rights of root remain");
}

/* ---- the signature: the text of io.millrace.model.authorization.Authorization ---- */

static const char *const SUBMISSION[] = {"millrace submission 1", "key", "owner", "issuer", "job", "cluster", "directory", "script",
    "make", "arguments", "variables", "inputs", "results", "until", "copies-until", NULL};
static const char *const DRY_RUN[] = {"millrace dry-run 1", "key", "owner", "issuer", "job", "cluster", "directory", "script", "make",
    "arguments", "variables", "until", NULL};
static const char *const FILE_READ[] = {"millrace file-read 1", "key", "owner", "job", "cluster", "directory", "id", "path", "offset",
    "length", "filter", "until", NULL};

static const char *const *names;
static char *values[20];

const char *field(const char *name)
{
    for (size_t i = 1; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0) return values[i];
    refuse("the signed text has no field '%s'", name);
}

static unsigned char *base64url(const char *text, size_t length, size_t *size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned char *bytes = claim(calloc(1, length + 1));
    unsigned bits = 0;
    int held = 0;
    *size = 0;
    for (size_t i = 0; i < length; i++) {
        const char *digit = memchr(digits, text[i], 64);
        if (digit == NULL) refuse("the signature cannot be read");
        bits = (bits << 6) | (unsigned)(digit - digits);
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[(*size)++] = (unsigned char)(bits >> held);
            bits &= (1u << held) - 1;
        }
    }
    return bytes;
}

/* A public key of the curve P-256 from the lines of a PEM block. Its DER form is a fixed beginning and the two coordinates. */
static EVP_PKEY *public_key(const char *lines)
{
    static const unsigned char beginning[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08,
        0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};
    char text[125];
    unsigned char der[94];
    size_t n = 0;
    for (const char *c = lines; *c && *c != '-' && n < sizeof text - 1; c++)
        if (!isspace((unsigned char)*c)) text[n++] = *c;
    text[n] = 0;
    if (n != 124 || EVP_DecodeBlock(der, (unsigned char *)text, 124) != 93 || memcmp(der, beginning, sizeof beginning) != 0)
        refuse("'%s' contains a key that is not an EC key of the curve P-256", required("keys"));
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string("group", (char *)"prime256v1", 0),
        OSSL_PARAM_construct_octet_string("pub", der + 26, 65), OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *context = claim(EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL));
    EVP_PKEY *key = NULL;
    if (EVP_PKEY_fromdata_init(context) != 1 || EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        refuse("'%s' contains a key that is not valid", required("keys"));
    EVP_PKEY_CTX_free(context);
    return key;
}

static int is_signed(const unsigned char *text, size_t size, const unsigned char *signature, size_t signature_size)
{
    static const char begin[] = "-----BEGIN PUBLIC KEY-----\n";
    char *pem = root_file(required("keys"));
    int valid = 0, keys = 0;
    for (char *block = strstr(pem, begin); block != NULL; block = strstr(block + 1, begin)) {
        if (++keys > MAX_KEYS) refuse("'%s' contains more than %d keys", required("keys"), MAX_KEYS);
        EVP_PKEY *key = public_key(block + sizeof begin - 1);
        EVP_MD_CTX *check = claim(EVP_MD_CTX_new());
        valid |= EVP_DigestVerifyInit(check, NULL, EVP_sha256(), NULL, key) == 1
            && EVP_DigestVerify(check, signature, signature_size, text, size) == 1;
        EVP_MD_CTX_free(check);
        EVP_PKEY_free(key);
    }
    if (keys == 0) refuse("'%s' contains no public key", required("keys"));
    free(pem);
    return valid;
}

static void decode_percent(char *value)
{
    char *to = value;
    for (const char *from = value; *from; from++) {
        unsigned byte;
        if (*from == '%' && isxdigit((unsigned char)from[1]) && isxdigit((unsigned char)from[2])
            && sscanf(from + 1, "%2x", &byte) == 1 && byte != 0) {
            *to++ = (char)byte;
            from += 2;
        } else
            *to++ = *from;
    }
    *to = 0;
}

/* Verifies the signature and reads the text, which must have exactly these lines. */
static void read_signed(const char *signature, const char *const *expected)
{
    const char *dot = strchr(signature, '.');
    size_t size, signature_size;
    if (dot == NULL || strlen(signature) > 32 * 1024) refuse("the request has no signature");
    char *text = (char *)base64url(signature, (size_t)(dot - signature), &size);
    unsigned char *by = base64url(dot + 1, strlen(dot + 1), &signature_size);
    if (!is_signed((unsigned char *)text, size, by, signature_size)) refuse("the signature is not valid");
    if (strlen(text) != size || size == 0 || text[size - 1] != '\n') refuse("the signed text cannot be read");
    names = expected;
    for (size_t i = 0; names[i] != NULL; i++) {
        const size_t length = strlen(names[i]);
        char *stop = strchr(text, '\n');
        if (stop == NULL || strncmp(text, names[i], length) != 0 || text[length] != (i == 0 ? '\n' : ' '))
            refuse(i == 0 ? "the signature is for something else" : "the signed text cannot be read");
        *stop = 0;
        if (i > 0) decode_percent(values[i] = text + length + 1);
        text = stop + 1;
    }
    if (*text != 0) refuse("the signed text has extra lines");
}

void digest(const char *bytes, size_t length, char hex[65])
{
    unsigned char sum[32];
    if (EVP_Digest(bytes, length, sum, NULL, EVP_sha256(), NULL) != 1) refuse("SHA-256 is not available");
    for (int i = 0; i < 32; i++) sprintf(hex + 2 * i, "%02x", sum[i]);
}

/* Whether the account belongs to this site user, as in the site mapping of the agent. */
static int is_account_of(const char *account, const char *user)
{
    const char *mapped, *line;
    const size_t length = strlen(account);
    if (pair("account", user, &mapped)) return strcmp(mapped, account) == 0;
    for (size_t i = 0; (line = setting("account", i)) != NULL; i++) {
        const size_t n = strlen(line);
        if (n > length && strcmp(line + n - length, account) == 0 && line[n - length - 1] == ' ') return 0;
    }
    return strcmp(account, user) == 0;
}

static void check_issuer(const char *issuer, const char *cluster)
{
    const char *line;
    if (strcmp(issuer, "-") == 0 || strcmp(issuer, cluster) == 0) return;
    for (size_t i = 0; (line = setting("issuer", i)) != NULL; i++)
        if (strcmp(line, issuer) == 0) return;
    refuse("the login on '%s' is not accepted here", safe(issuer));
}

/* ---- the place ---- */

static const char *staging_root;
const char *place;
static const char *staging_home, *real_place;
static int staged;

static void find_place(const struct request *r)
{
    const char *job = field("job"), *owner = field("owner");
    const size_t length = strlen(job);
    if (strchr(owner, '/') != NULL || owner[0] == '.' || strchr(job, '/') != NULL || length == 0)
        refuse("the signed text cannot be read");
    if (strncmp(r->attempt, job, length) != 0 || r->attempt[length] != '.' || number(r->attempt + length + 1, 999999) == 0)
        refuse("'%s' is not an attempt of the signed job", safe(r->attempt));
    staged = strcmp(field("cluster"), r->cluster) != 0;
    staging_home = joined(staging_root, "/", owner, "", "");
    place = staged ? joined(staging_home, "/", r->attempt, "", "") : joined(field("directory"), "", "", "", "");
}

/* The path is absolute and has no component that leads elsewhere. */
int is_normal(const char *path)
{
    return path[0] == '/' && strstr(path, "/../") == NULL && strstr(path, "/./") == NULL && strstr(path, "//") == NULL
        && (strlen(path) < 3 || strcmp(path + strlen(path) - 3, "/..") != 0);
}

static int is_below(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return is_normal(path) && strncmp(path, folder, length) == 0 && (path[length] == 0 || path[length] == '/');
}

/* In the place; a staged job has its owner's cache beside it. */
static int is_in_place(const char *path)
{
    return is_below(path, place) || (real_place != NULL && is_below(path, real_place))
        || (staged && is_below(path, staging_home));
}

/* Commands name the place by its path. So nobody but root and the owner may put a link in the place of a component of it, not even the agent's
 * account. In a root of mode 1777 every account can create the owner's folder as long as it is missing. */
static void check_staging(const struct passwd *owner, int may_be_missing)
{
    struct stat info;
    char *path = realpath(staging_root, NULL);
    if (path == NULL) refuse("cannot enter '%s': %s", staging_root, strerror(errno));
    for (size_t length = strlen(path); length > 0; length = (size_t)(strrchr(path, '/') - path)) {
        path[length] = 0;
        if (stat(path, &info) != 0 || info.st_uid != 0 || (info.st_mode & (S_IWGRP | S_IWOTH) && !(info.st_mode & S_ISVTX)))
            refuse("'%s' must belong to root, and no other account may rename what is in it (mode 0711)", path);
    }
    free(path);
    if (lstat(staging_home, &info) != 0) {
        if (errno == ENOENT && may_be_missing) return;
        refuse("cannot enter '%s': %s", safe(staging_home), strerror(errno));
    }
    if (!S_ISDIR(info.st_mode) || info.st_uid != owner->pw_uid)
        refuse("'%s' is not a folder of '%s'", safe(staging_home), owner->pw_name);
}

/* Enters the place as the owner. Below the staging root no component may be a symbolic link or belong to another user. */
static void enter(const struct passwd *owner)
{
    int fd = open(staged ? staging_root : place, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (staged && fd >= 0) {
        char *rest = strdup(place + strlen(staging_root));
        for (char *name = strtok(claim(rest), "/"); name != NULL && fd >= 0; name = strtok(NULL, "/")) {
            struct stat info;
            fd = openat(fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (fd >= 0 && (fstat(fd, &info) != 0 || info.st_uid != owner->pw_uid))
                refuse("'%s' is not a folder of '%s'", safe(name), owner->pw_name);
        }
    }
    if (fd < 0 || fchdir(fd) != 0) refuse("cannot enter '%s': %s", safe(place), strerror(errno));
}

static int is_home(const char *path, const struct passwd *owner)
{
    struct stat one, other;
    return stat(path, &one) == 0 && stat(owner->pw_dir, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* ---- the command: a line "KIND WORD..." of the list, separated by tabs ---- */

#define RSH "ssh -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o ServerAliveCountMax=4"

/* Whether a path ends like the folder OWNER/ATTEMPT of another cluster, from which the results of the job come. */
static int are_results(const char *path)
{
    const char *suffix = joined("/", field("owner"), "/", field("job"), ".");
    const char *found = strstr(path, suffix);
    return is_normal(path) && found != NULL && strchr(found + strlen(suffix), '/') == NULL;
}

/* One call of rsync, from its name to its destination; returns the number of words, or 0 if it is not permitted. */
static size_t rsync_words(char **words, size_t count)
{
    static const char *const plain[] = {"-s", "--archive", "--hard-links", "--sparse", "--chmod=Fug-s,Fa-t", "--no-devices", "--no-specials",
        "--omit-dir-times", "--omit-link-times", "--info=nonreg0", "--no-human-readable", "--dry-run", "--checksum", "-ii",
        "--info=progress2", "--stats", "--from0", "--files-from=-", "--filter=dir-merge .millrace-filter", NULL};
    static const char *const prefixes[] = {"--exclude=", "--filter=- ", "--filter=+ ", "--timeout=", "--out-format=", "--bwlimit=",
        "--min-size=", NULL};
    static const char *const files[] = {"--partial-dir=", "--temp-dir=", "--exclude-from=", "--files-from=", NULL};
    size_t i = 1;
    if (count < 4 || strcmp(words[0], "rsync") != 0) return 0;
    for (; i < count && strcmp(words[i], "--") != 0; i++) {
        int known = 0;
        for (size_t p = 0; plain[p] != NULL; p++) known |= strcmp(words[i], plain[p]) == 0;
        for (size_t p = 0; prefixes[p] != NULL; p++) known |= strncmp(words[i], prefixes[p], strlen(prefixes[p])) == 0;
        for (size_t p = 0; files[p] != NULL; p++)
            if (strncmp(words[i], files[p], strlen(files[p])) == 0) {
                const char *path = words[i] + strlen(files[p]);
                known |= path[0] == '/' ? is_in_place(path) : is_normal(joined("/", path, "", "", ""));
            }
        if (strcmp(words[i], "-e") == 0) known = ++i < count && strcmp(words[i], setting("rsh", 0) == NULL ? RSH : setting("rsh", 0)) == 0;
        if (!known) return 0;
    }
    if (i + 3 > count) return 0;
    char *from = joined(words[i + 1], "", "", "", ""), *to = words[i + 2];
    if (*from && from[strlen(from) - 1] == '/') from[strlen(from) - 1] = 0;
    char *path = strstr(from, ":/");
    path = path == NULL ? from : path + 1;
    const int source = strcmp(from, ".") == 0
        || (*from != '-' && (names == FILE_READ ? is_in_place(path) : staged ? strcmp(path, field("directory")) == 0 : are_results(path)));
    const int target = strcmp(to, "/.millrace-nothing/") == 0 || (to[0] == '/' ? is_in_place(to) && strstr(to, ":") == NULL
        : to[0] != '-' && strchr(to, ':') == NULL && is_normal(joined("/", to, "", "", "")));
    return source && target ? i + 3 : 0;
}

int is_word(const char *text, const char *more)
{
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && strchr(more, *text) == NULL) return 0;
    return 1;
}

static int is_number(const char *text)
{
    const size_t length = strlen(text);
    return length > 0 && length < 20 && strspn(text, "0123456789") == length;
}

static int is_script(const char *word, const char *hex)
{
    char found[65];
    digest(word, strlen(word), found);
    return strcmp(found, hex) == 0;
}

/* The file by which a job of Torque gets a signal. */
static int is_signal_file(const char *path)
{
    static const char suffix[] = ".signal";
    const char *name = strrchr(path, '/');
    return name != NULL && is_normal(path) && strncmp(name, "/.millrace-", 11) == 0 && strlen(name) > 11 + sizeof suffix
        && strcmp(name + strlen(name) - sizeof suffix + 1, suffix) == 0;
}

/* Whether one word is of this type. */
static int is_of(const char *type, const char *word, const struct request *r)
{
    if (strcmp(type, "<place>") == 0) return strcmp(word, place) == 0;
    if (strcmp(type, "<path>") == 0) return is_in_place(word);
    if (strcmp(type, "<path?>") == 0) return *word == 0 || is_in_place(word);
    if (strcmp(type, "<file>") == 0) return *word != '/' && *word != '-' && is_normal(joined("/", word, "", "", ""));
    if (strcmp(type, "<make>") == 0) return strcmp(word, joined("./.millrace-", r->attempt, ".make", "", "")) == 0;
    if (strcmp(type, "<script>") == 0) return strcmp(word, joined(place, "/.millrace-", r->attempt, ".job", "")) == 0;
    if (strcmp(type, "<attempt>") == 0) return strcmp(word, r->attempt) == 0;
    if (strcmp(type, "<signal>") == 0) return is_signal_file(word);
    if (strcmp(type, "<number>") == 0) return is_number(word);
    if (strcmp(type, "<word>") == 0) return is_word(word, "._:-");
    if (strcmp(type, "<list>") == 0) return is_word(word, "._:-,@[]");
    if (strcmp(type, "<stream>") == 0) return is_stream_option(word);
    if (strcmp(type, "<tags>") == 0) return are_tags(word);
    if (strcmp(type, "<resources>") == 0) return are_resources(word);
    if (strcmp(type, "<signed>") == 0) return is_in_script(word);
    return strcmp(type, "<any>") == 0;
}

static char *commands[MAX_LINES];
static size_t command_count;

static size_t group_words(const char *group, const struct request *r, size_t from);

/* The words that the line matches, from this one on: text, #DIGEST of a script, TEXT<TYPE>, <TYPE>* for any number of words, <rsync> for a
 * call, <-KIND> for a line of this kind. 0 if it does not match. */
static size_t words_of(const char *of, const struct request *r, size_t from)
{
    size_t i = from;
    char *next, *line = joined(of, "", "", "", "");
    for (char *token = strtok_r(line, "\t", &next); token != NULL; token = strtok_r(NULL, "\t", &next)) {
        char *type = strchr(token, '<');
        const int many = type != NULL && type[strlen(type) - 1] == '*';
        if (many) type[strlen(type) - 1] = 0;
        size_t taken;
        do {
            const char *word = i < r->argc ? r->argv[i] : NULL;
            const size_t prefix = type == NULL ? 0 : (size_t)(type - token);
            if (word == NULL)
                taken = 0;
            else if (token[0] == '#')
                taken = is_script(word, token + 1);
            else if (type == NULL)
                taken = strcmp(token, word) == 0;
            else if (strcmp(type, "<rsync>") == 0)
                taken = rsync_words(r->argv + i, r->argc - i);
            else if (type[1] == '-')
                taken = group_words(type, r, i);
            else
                taken = strncmp(token, word, prefix) == 0 && is_of(type, word + prefix, r);
            if (taken == 0 && !many) return 0;
            i += taken;
        } while (many && taken > 0);
    }
    return i - from;
}

static int is_kind(const char *line, const char *kind, size_t length)
{
    return strncmp(line, kind, length) == 0 && line[length] == '\t';
}

static size_t group_words(const char *group, const struct request *r, size_t from)
{
    const size_t length = strlen(group) - 3; /* <-KIND> */
    size_t taken = 0;
    for (size_t i = 0; i < command_count && taken == 0; i++)
        if (is_kind(commands[i], group + 2, length)) taken = words_of(commands[i] + length + 1, r, from);
    return taken;
}

static void check_command(const struct request *r)
{
    const size_t length = strlen(r->kind);
    const char *path = required("commands");
    for (size_t n = 0; path != NULL; path = setting("commands", ++n))
        command_count += lines_of(root_file(path), commands + command_count, MAX_LINES - command_count);
    for (size_t i = 0; i < command_count; i++)
        if (is_kind(commands[i], r->kind, length) && words_of(commands[i] + length + 1, r, 0) == r->argc) return;
    refuse("the list of commands does not permit '%s' for %s", safe(r->argv[0]), safe(r->kind));
}

/* ---- what runs ---- */

static char *environment[MAX_WORDS + 16];
static size_t environment_size;

static void set_variable(const char *name, const char *value)
{
    environment[environment_size++] = joined(name, "=", value, "", "");
}

/* Variables of the workload manager have a line each: "variable NAME VALUE", or "variable NAME *" for a word without a slash. */
static void set_permitted(const struct request *r)
{
    for (size_t i = 0; i < r->variable_count; i++) {
        char *name = joined(r->variables[i], "", "", "", "");
        char *value = strchr(name, '=');
        const char *permitted, *line;
        int found = 0;
        if (value == NULL) refuse("'%s' is not a variable", safe(name));
        *value++ = 0;
        for (size_t n = 0; !found && (line = setting("variable", n)) != NULL; n++) {
            const size_t length = strlen(name);
            permitted = line + length + 1;
            found = strncmp(line, name, length) == 0 && line[length] == ' '
                && (strcmp(permitted, value) == 0 || (strcmp(permitted, "*") == 0 && is_word(value, "._:-")));
        }
        if (!found) refuse("'%s' does not permit this value of variable '%s'", CONFIG, safe(name));
        set_variable(name, value);
    }
}

/* The signed variables of a job, for standard input of the program that sets them. */
static int variables_file(const struct request *r)
{
    char hex[65], *all = claim(calloc(1, MAX_REQUEST + 1));
    size_t size = 0;
    for (size_t i = 0; i < r->variable_count; i++) {
        const size_t length = strlen(r->variables[i]) + 1;
        memcpy(all + size, r->variables[i], length); /* all of them fit into a request */
        size += length;
    }
    digest(all, size, hex);
    if (strcmp(hex, field("variables")) != 0) refuse("the variables are not those that were signed");
    char *attempt = joined("MILLRACE_ATTEMPT=", r->attempt, "", "", "");
    const int fd = memfd_create("variables", 0);
    if (fd < 0 || write(fd, all, size) != (ssize_t)size
        || write(fd, attempt, strlen(attempt) + 1) != (ssize_t)strlen(attempt) + 1 || lseek(fd, 0, SEEK_SET) != 0)
        refuse("cannot pass the variables");
    return fd;
}

/* Writes the make step, which must be the signed one, as a new file of the owner. */
static _Noreturn void write_make(const struct request *r)
{
    char hex[65], *text = claim(calloc(1, MAX_FILE + 1));
    size_t size = 0;
    for (ssize_t n; (n = read(0, text + size, MAX_FILE + 1 - size)) > 0; size += (size_t)n) {}
    if (size > MAX_FILE) refuse("the make step is larger than 1 MiB");
    digest(text, size, hex);
    if (strcmp(hex, field("make")) != 0) refuse("the make step is not the one that was signed");
    char *name = joined(".millrace-", r->attempt, ".make", "", "");
    unlink(name);
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0700);
    if (fd < 0 || write(fd, text, size) != (ssize_t)size || close(fd) != 0) {
        fprintf(stderr, "%s: %s\n", name, strerror(errno));
        exit(1);
    }
    exit(0);
}

static _Noreturn void run(const struct request *r, const struct passwd *owner)
{
    char **argv = claim(calloc(r->argc + 4, sizeof *argv));
    size_t n = 0, dots = 0;
    for (const char *c = r->limit; *c; c++)
        if (!isdigit((unsigned char)*c) && !(*c == '.' && dots++ == 0)) refuse("'%s' is not a time limit", safe(r->limit));
    if (strcmp(r->limit, "0") != 0) {
        argv[n++] = joined("timeout", "", "", "", "");
        argv[n++] = joined("--kill-after=2", "", "", "", "");
        argv[n++] = joined(r->limit, "", "", "", "");
    }
    for (size_t i = 0; i < r->argc; i++) argv[n++] = r->argv[i];
    const char *path = setting("path", 0);
    set_variable("PATH", path != NULL ? path : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    set_variable("LC_ALL", "C.UTF-8");
    set_variable("HOME", owner->pw_dir);
    set_variable("SHELL", owner->pw_shell);
    set_variable("USER", owner->pw_name);
    set_variable("LOGNAME", owner->pw_name);
    clearenv();
    setenv("PATH", path != NULL ? path : "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
    execvpe(argv[0], argv, environment);
    refuse("cannot start '%s': %s", safe(argv[0]), strerror(errno));
}

/* ---- signals ---- */

/* Signals processes of the owner in a session that this program started: its leader names this program, or has ended. */
static int signal_session(int argc, char **argv)
{
    if (argc != 6) refuse("usage: signal ACCOUNT UID SIGNAL SESSION");
    const struct passwd *owner = checked_owner(argv[2], argv[3]);
    const char *names_of[] = {"TERM", "KILL", "CONT", "STOP", "INT", "HUP", "USR1", "USR2", NULL};
    const int numbers[] = {SIGTERM, SIGKILL, SIGCONT, SIGSTOP, SIGINT, SIGHUP, SIGUSR1, SIGUSR2};
    int found = -1;
    for (int i = 0; names_of[i] != NULL; i++)
        if (strcmp(names_of[i], argv[4]) == 0) found = numbers[i];
    if (found < 0) refuse("'%s' is not a signal that can be sent", safe(argv[4]));
    const long session = (long)number(argv[5], INT_MAX);
    char path[64], line[4096] = "";
    snprintf(path, sizeof path, "/proc/%ld/cmdline", session);
    FILE *leader = fopen(path, "re");
    if (leader != NULL) {
        const size_t size = fread(line, 1, sizeof line - 1, leader);
        fclose(leader);
        if (size > 0 && memmem(line, size, "millrace-become", 15) == NULL)
            refuse("session %ld was not started by this program", session);
    }
    become(owner);
    DIR *all = claim(opendir("/proc"));
    for (const struct dirent *entry; (entry = readdir(all)) != NULL;) {
        struct stat info;
        long sid;
        snprintf(path, sizeof path, "/proc/%.20s/stat", entry->d_name);
        FILE *stat_file = isdigit((unsigned char)entry->d_name[0]) ? fopen(path, "re") : NULL;
        if (stat_file == NULL) continue;
        const size_t size = fread(line, 1, sizeof line - 1, stat_file);
        line[size] = 0;
        const char *after = strrchr(line, ')');
        if (after != NULL && sscanf(after, ") %*c %*d %*d %ld", &sid) == 1 && sid == session
            && fstat(fileno(stat_file), &info) == 0 && info.st_uid == owner->pw_uid)
            kill((pid_t)atol(entry->d_name), found);
        fclose(stat_file);
    }
    closedir(all);
    return 0;
}

int main(int argc, char **argv)
{
    if (geteuid() != 0) refuse("must be run by root, through sudo");
    if (close_range(3, ~0U, 0) != 0) refuse("cannot close descriptors");
    clearenv();
    umask(022);
    if (OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) != 1) refuse("OpenSSL cannot be used");
    config_lines = lines_of(root_file(CONFIG), config, MAX_LINES);
    if (argc > 1 && strcmp(argv[1], "signal") == 0) return signal_session(argc, argv);
    if (argc > 1) refuse("unknown argument '%s'", safe(argv[1]));
    const struct request r = read_request();
    const struct passwd *owner = checked_owner(r.account, r.uid);
    const int checks = strcmp(r.kind, "check") == 0; /* not bound to a signature: owner, command and arguments only */
    const int removes = strcmp(r.kind, "remove") == 0, copies = strcmp(r.kind, "copy") == 0 || removes;
    const int reads = strcmp(r.kind, "read") == 0;
    const int makes = strcmp(r.kind, "make") == 0, writes = strcmp(r.kind, "write-make") == 0;
    if (!checks) {
        if (!pair("cluster", r.cluster, &staging_root) || !is_normal(staging_root))
            refuse("'%s' has no line 'cluster %s STAGING-ROOT'", CONFIG, safe(r.cluster));
        read_signed(r.signature, reads ? FILE_READ : strcmp(r.kind, "dry-run") == 0 ? DRY_RUN : SUBMISSION);
        if (!is_account_of(owner->pw_name, field("owner"))) refuse("the signature is not for the user of account '%s'", owner->pw_name);
        if (!reads) check_issuer(field("issuer"), r.cluster);
        if (strtoll(field(copies ? "copies-until" : "until"), NULL, 10) <= (long long)time(NULL)) refuse("the signature has expired");
        if (names != SUBMISSION && strcmp(field("cluster"), r.cluster) != 0) refuse("the signature is for cluster '%s'", safe(field("cluster")));
        find_place(&r);
        if (!is_normal(place)) refuse("'%s' is not a normalized path", safe(place));
        if (staged)
            check_staging(owner, removes || strcmp(r.argv[0], "mkdir") == 0 || (r.argc > 3 && strcmp(r.argv[3], "folders") == 0));
        if (removes && !staged) refuse("'%s' is the directory of the job and not a copy", safe(place));
    } else
        place = staging_home = "/";
    become(owner);
    if (copies && (is_home(place, owner) || (staged && is_home(field("directory"), owner))))
        refuse("files are never copied into the home directory of '%s'", owner->pw_name);
    if (reads || copies) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (reads) real_place = realpath(place, NULL);
    if (strcmp(r.directory, "/") == 0 && !makes && !writes) {
        if (chdir("/") != 0) refuse("cannot enter '/'");
    } else if (!checks && strcmp(r.directory, place) == 0)
        enter(owner);
    else
        refuse("'%s' is not the directory of the job", safe(r.directory));
    if (writes) write_make(&r);
    if (makes) {
        if (dup2(variables_file(&r), 0) < 0) refuse("cannot pass the variables");
    } else
        set_permitted(&r);
    if (strcmp(r.kind, "submit") == 0) check_job_script(&r);
    check_command(&r);
    run(&r, owner);
}
