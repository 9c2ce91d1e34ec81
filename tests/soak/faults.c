/* Makes the n-th write below a folder fail: preloaded by tests/soak/faults.py.
 *
 * FAULT_ROOT   the folder; FAULT_COUNTER a file of 8 bytes that all processes share
 * FAULT_LOG    where each write point is listed, or FAULT_AT, FAULT_ERRNO and FAULT_FOR
 * FAULT_SHORT  write half of it first
 * FAULT_KILL   kill the group of processes with SIGKILL instead, before the call
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static long *counter;
static long at = -1, lasts = 1, number = EIO;
static int is_short, kills, log_fd = -1;
static const char *root, *only;
static ssize_t (*real_write)(int, const void *, size_t);

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULT_COUNTER"), *text;
    real_write = REAL(write);
    root = getenv("FAULT_ROOT");
    only = getenv("FAULT_OPS");
    if (!path || !root) return;
    int fd = REAL(open)(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return;
    counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if ((text = getenv("FAULT_AT"))) at = atol(text);
    if ((text = getenv("FAULT_FOR"))) lasts = atol(text);
    if ((text = getenv("FAULT_ERRNO"))) number = atol(text);
    is_short = getenv("FAULT_SHORT") != NULL;
    kills = getenv("FAULT_KILL") != NULL;
    if ((text = getenv("FAULT_LOG")))
        log_fd = REAL(open)(text, O_WRONLY | O_APPEND | O_CLOEXEC | O_CREAT, 0600);
}

/* Count a call on a path; 0 if it goes through, 1 if it fails, 2 if it is the first that does. */
static int fails(const char *op, const char *path) {
    if (!counter || !path || strncmp(path, root, strlen(root))) return 0;
    if (only && !strstr(only, op)) return 0;
    long mine = __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST);
    if (log_fd >= 0) {
        char line[4200];
        int size = snprintf(line, sizeof line, "%ld %s %s\n", mine, op, path + strlen(root));
        real_write(log_fd, line, size);
    }
    if (at < 0 || mine < at || mine >= at + lasts) return 0;
    if (kills) {
        kill(0, SIGKILL);
        for (;;) pause();
    }
    errno = number;
    return mine == at ? 2 : 1;
}

static int fails_fd(const char *op, int fd) {
    char link[64], path[4096];
    if (!counter) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return fails(op, path);
}

ssize_t write(int fd, const void *data, size_t size) {
    int fault = fails_fd("write", fd);
    if (fault == 2 && is_short && size > 1) return real_write(fd, data, size / 2);
    return fault ? -1 : real_write(fd, data, size);
}

#define PWRITE(name, offset_type)                                                      \
    ssize_t name(int fd, const void *data, size_t size, offset_type offset) {          \
        int fault = fails_fd("write", fd);                                             \
        if (fault == 2 && is_short && size > 1) return REAL(name)(fd, data, size / 2, offset); \
        return fault ? -1 : REAL(name)(fd, data, size, offset);                        \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define ON_FD(name, op, ...)                                                           \
    int name(int fd) { return fails_fd(op, fd) ? -1 : REAL(name)(fd); }
ON_FD(fsync, "fsync")
ON_FD(fdatasync, "fsync")

int ftruncate(int fd, off_t size) { return fails_fd("size", fd) ? -1 : REAL(ftruncate)(fd, size); }
int ftruncate64(int fd, off64_t size) {
    return fails_fd("size", fd) ? -1 : REAL(ftruncate64)(fd, size);
}
int posix_fallocate(int fd, off_t from, off_t size) {
    return fails_fd("size", fd) ? (int)number : REAL(posix_fallocate)(fd, from, size);
}
int posix_fallocate64(int fd, off64_t from, off64_t size) {
    return fails_fd("size", fd) ? (int)number : REAL(posix_fallocate64)(fd, from, size);
}

#define OPEN(name)                                                                     \
    int name(const char *path, int flags, ...) {                                       \
        va_list more;                                                                  \
        va_start(more, flags);                                                         \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;        \
        va_end(more);                                                                  \
        if (flags & O_CREAT && access(path, F_OK) && fails("create", path)) return -1; \
        return REAL(name)(path, flags, mode);                                          \
    }
OPEN(open)
OPEN(open64)

int mkdir(const char *path, mode_t mode) {
    return fails("create", path) ? -1 : REAL(mkdir)(path, mode);
}
int rename(const char *from, const char *to) {
    return fails("rename", to) ? -1 : REAL(rename)(from, to);
}
int unlink(const char *path) { return fails("unlink", path) ? -1 : REAL(unlink)(path); }
