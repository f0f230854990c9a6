// Preloaded into a node under test: writes down, in order, what the process asks of the file system below
// POWER_ROOT, so that the disk as a power loss would leave it can be made for any moment of the run. A name that
// is removed keeps its file in POWER_GRAVEYARD. What is synced is measured before the sync: never too much.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static const char *root, *graveyard;
static size_t root_length;
static int journal = -1;

#define REAL(type, name, ...)                                 \
  static type (*real)(__VA_ARGS__);                           \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int active(void) {
  static int (*real_open)(const char *, int, ...);
  if (journal >= 0) return 1;
  if (root) return 0;
  root = getenv("POWER_ROOT");
  graveyard = getenv("POWER_GRAVEYARD");
  const char *path = getenv("POWER_JOURNAL");
  if (!root || !graveyard || !path) { root = ""; return 0; }
  root_length = strlen(root);
  real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  journal = real_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  return journal >= 0;
}

// A path below the root, relative to it; NULL for any other.
static const char *inside(const char *path) {
  if (!active() || !path || strncmp(path, root, root_length) != 0) return NULL;
  return path[root_length] == '/' ? path + root_length + 1 : path[root_length] == 0 ? "." : NULL;
}

static ssize_t real_write(int handle, const void *bytes, size_t length) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return real(handle, bytes, length);
}

static void note(const char *format, ...) {
  char line[2 * PATH_MAX + 100];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (real_write(journal, line, length) != length) abort();
}

static const char *at(int directory, const char *path, char *buffer) {
  if (!active() || path[0] == '/' || directory == AT_FDCWD) return path;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
  ssize_t length = readlink(link, buffer, PATH_MAX);
  if (length < 0) return path;
  snprintf(buffer + length, PATH_MAX - length, "/%s", path);
  return buffer;
}

static void bury(const char *path) {
  struct stat status;
  char grave[PATH_MAX];
  if (!inside(path) || lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) return;
  snprintf(grave, sizeof grave, "%s/%lu", graveyard, (unsigned long)status.st_ino);
  static int (*real_link)(const char *, const char *);
  if (!real_link) real_link = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
  if (real_link(path, grave) != 0 && errno != EEXIST) abort();
}

static void named(int handle, const char *path, int emptied) {
  const char *name = inside(path);
  struct stat status;
  if (handle < 0 || !name || fstat(handle, &status) != 0 || !S_ISREG(status.st_mode)) return;
  pthread_mutex_lock(&order);
  note("name\t%lu\t%s\n", (unsigned long)status.st_ino, name);
  if (emptied) note("cut\t%lu\t0\n", (unsigned long)status.st_ino);
  pthread_mutex_unlock(&order);
}

#define OPEN(name)                                                                      \
  int name(const char *path, int flags, ...) {                                          \
    REAL(int, name, const char *, int, ...);                                            \
    va_list args;                                                                       \
    va_start(args, flags);                                                              \
    int mode = va_arg(args, int);                                                       \
    va_end(args);                                                                       \
    int handle = real(path, flags, mode);                                               \
    int kept = errno;                                                                   \
    if (flags & (O_CREAT | O_TRUNC)) named(handle, path, flags & O_TRUNC);              \
    errno = kept;                                                                       \
    return handle;                                                                      \
  }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                          \
  FILE *name(const char *path, const char *mode) {                           \
    REAL(FILE *, name, const char *, const char *);                          \
    FILE *file = real(path, mode);                                           \
    int kept = errno;                                                        \
    if (file && mode[0] != 'r') named(fileno(file), path, mode[0] == 'w');   \
    errno = kept;                                                            \
    return file;                                                             \
  }
FOPEN(fopen)
FOPEN(fopen64)

#define SYNC(name)                                                                                \
  int name(int handle) {                                                                          \
    REAL(int, name, int);                                                                         \
    struct stat status;                                                                           \
    char link[64], path[PATH_MAX];                                                                \
    int known = active() && fstat(handle, &status) == 0;                                          \
    int result = real(handle);                                                                    \
    int kept = errno;                                                                             \
    if (known && result == 0) {                                                                   \
      snprintf(link, sizeof link, "/proc/self/fd/%d", handle);                                    \
      ssize_t length = readlink(link, path, sizeof path - 1);                                     \
      path[length < 0 ? 0 : length] = 0;                                                          \
      const char *name_inside = inside(path);                                                     \
      if (name_inside) {                                                                          \
        pthread_mutex_lock(&order);                                                               \
        if (S_ISDIR(status.st_mode)) note("syncdir\t%s\n", name_inside);                          \
        else note("sync\t%lu\t%ld\n", (unsigned long)status.st_ino, (long)status.st_size);        \
        pthread_mutex_unlock(&order);                                                             \
      }                                                                                           \
    }                                                                                             \
    errno = kept;                                                                                 \
    return result;                                                                                \
  }
SYNC(fsync)
SYNC(fdatasync)

// How long a file is after a write: what a power loss may leave of it at most.
static void grown(int handle) {
  struct stat status;
  char link[64], path[PATH_MAX];
  int kept = errno;
  if (active() && handle != journal && fstat(handle, &status) == 0 && S_ISREG(status.st_mode)) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    if (inside(path)) {
      pthread_mutex_lock(&order);
      note("grown\t%lu\t%ld\n", (unsigned long)status.st_ino, (long)status.st_size);
      pthread_mutex_unlock(&order);
    }
  }
  errno = kept;
}

ssize_t write(int handle, const void *bytes, size_t length) {
  ssize_t result = real_write(handle, bytes, length);
  grown(handle);
  return result;
}

ssize_t pwrite64(int handle, const void *bytes, size_t length, off64_t offset) {
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  ssize_t result = real(handle, bytes, length, offset);
  grown(handle);
  return result;
}

ssize_t writev(int handle, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  ssize_t result = real(handle, parts, count);
  grown(handle);
  return result;
}

#undef fwrite_unlocked
#undef fflush_unlocked
size_t fwrite_unlocked(const void *bytes, size_t size, size_t count, FILE *file) {
  REAL(size_t, fwrite_unlocked, const void *, size_t, size_t, FILE *);
  size_t result = real(bytes, size, count, file);
  grown(fileno(file));
  return result;
}

int fflush_unlocked(FILE *file) {
  REAL(int, fflush_unlocked, FILE *);
  int result = real(file);
  if (file) grown(fileno(file));
  return result;
}

#define FTRUNCATE(name, type)                                                                \
  int name(int handle, type size) {                                                          \
    REAL(int, name, int, type);                                                              \
    struct stat status;                                                                      \
    int result = real(handle, size);                                                         \
    int kept = errno;                                                                        \
    if (result == 0 && active() && fstat(handle, &status) == 0) {                            \
      pthread_mutex_lock(&order);                                                            \
      note("cut\t%lu\t%ld\n", (unsigned long)status.st_ino, (long)size);                     \
      pthread_mutex_unlock(&order);                                                          \
    }                                                                                        \
    errno = kept;                                                                            \
    return result;                                                                           \
  }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

// A change of names: the order of the journal is the order in which they took effect.
#define CHANGE(call, ...)               \
  pthread_mutex_lock(&order);           \
  int result = call;                    \
  int kept = errno;                     \
  if (result == 0) note(__VA_ARGS__);   \
  pthread_mutex_unlock(&order);         \
  errno = kept;                         \
  return result

int rename(const char *from, const char *to) {
  REAL(int, rename, const char *, const char *);
  const char *old = inside(from), *new = inside(to);
  if (!old || !new) return real(from, to);
  bury(to);
  CHANGE(real(from, to), "rename\t%s\t%s\n", old, new);
}

int link(const char *from, const char *to) {
  REAL(int, link, const char *, const char *);
  const char *old = inside(from), *new = inside(to);
  if (!old || !new) return real(from, to);
  CHANGE(real(from, to), "link\t%s\t%s\n", old, new);
}

int symlink(const char *target, const char *path) {
  REAL(int, symlink, const char *, const char *);
  const char *name = inside(path);
  if (!name) return real(target, path);
  CHANGE(real(target, path), "symlink\t%s\t%s\n", target, name);
}

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  const char *name = inside(path);
  if (!name) return real(path, mode);
  CHANGE(real(path, mode), "mkdir\t%s\n", name);
}

#define REMOVE(name)                                  \
  int name(const char *path) {                        \
    REAL(int, name, const char *);                    \
    const char *relative = inside(path);              \
    if (!relative) return real(path);                 \
    bury(path);                                       \
    CHANGE(real(path), "remove\t%s\n", relative);     \
  }
REMOVE(unlink)
REMOVE(rmdir)
REMOVE(remove)

int unlinkat(int directory, const char *path, int flags) {
  REAL(int, unlinkat, int, const char *, int);
  char buffer[2 * PATH_MAX];
  const char *whole = at(directory, path, buffer);
  const char *relative = inside(whole);
  if (!relative) return real(directory, path, flags);
  bury(whole);
  CHANGE(real(directory, path, flags), "remove\t%s\n", relative);
}
