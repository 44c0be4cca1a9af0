// Sets limits on itself and then becomes an external program.
//
//   _launch SOCKET [OPTION VALUE]... -- COMMAND [ARGUMENT]...
//
// The referee starts it, inside bubblewrap where that is available. It sends "ready" over SOCKET, a SOCK_SEQPACKET, waits
// for an answer while the referee fills the program's folder, applies every limit and executes the command. If that
// fails it sends "failed STEP: REASON". The program inherits no descriptor above 2.
//
//   --init yes            stay as process 1 of a PID namespace, reap every process, kill what is left when the program
//                         ends, and send "ended STATUS LEFT CPU", the wait status of the program, the number of
//                         processes that were still running, and the CPU time of all of them in microseconds
//   --directory PATH      working directory of the program
//   --uid N               user and group to become, for a referee that is root
//   --drop-capabilities yes    for a referee that is root, where the program stays root
//   --cpu N               RLIMIT_CPU in seconds; the hard limit is one second more
//   --data, --file-size, --files, --processes N    RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC
//   --read PATH           Landlock: a file or folder that may be read and executed
//   --list PATH           Landlock: a folder whose entries may be listed
//   --write PATH          Landlock: a file or folder that may also be changed
//   --filter yes          seccomp: deny the system calls that no player needs; with Landlock, also all sockets
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace {

constexpr int SOCKET = 3;

// Send one message; a referee that is gone has nothing to be told.
void send_text(const char* format, auto... values) {
    char text[512];
    const int length = std::snprintf(text, sizeof text, format, values...);
    (void)!write(SOCKET, text, length < int{sizeof text} ? length : int{sizeof text} - 1);
}

[[noreturn]] void fail(const char* step, int error = errno) {
    send_text("failed %s: %s", step, std::strerror(error));
    _exit(127);
}

struct Options {
    const char* directory = nullptr;
    long uid = -1, cpu = -1, data = -1, file_size = -1, files = -1, processes = -1;
    bool init = false, drop_capabilities = false, landlock = false, filter = false;
};

#ifdef __GLIBC__
using Resource = __rlimit_resource_t;
#else
using Resource = int;
#endif

void limit(Resource resource, long soft, long hard) {
    rlimit now{};
    if (getrlimit(resource, &now) != 0) {
        return;
    }
    // Never raise a limit that is lower already.
    const auto lower = [&now](long value) {
        return now.rlim_max == RLIM_INFINITY || rlim_t(value) < now.rlim_max ? rlim_t(value) : now.rlim_max;
    };
    const rlimit wanted{lower(soft), lower(hard)};
    setrlimit(resource, &wanted);
}

void limit(Resource resource, long value) {
    if (value >= 0) {
        limit(resource, value, value);
    }
}

#ifdef __linux__

// Landlock: the constants of linux/landlock.h, which may be older than the kernel that this runs on.
constexpr std::uint64_t EXECUTE = 1 << 0, WRITE_FILE = 1 << 1, READ_FILE = 1 << 2, READ_DIR = 1 << 3;
constexpr std::uint64_t MAKE_CHAR = 1 << 6, MAKE_BLOCK = 1 << 11, REFER = 1 << 13, TRUNCATE = 1 << 14;
constexpr std::uint64_t IOCTL_DEV = 1 << 15;
constexpr std::uint64_t ALL_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
constexpr long CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446;  // the same on every architecture

struct Ruleset {
    std::uint64_t filesystem, network, scoped;
};
struct __attribute__((packed)) PathRule {
    std::uint64_t allowed;
    std::int32_t parent;
};

class Landlock {
  public:
    void start() {
        const long version = syscall(CREATE_RULESET, nullptr, 0, 1);
        if (version < 1) {
            fail("Landlock");
        }
        handled_ = (1 << 13) - 1;
        if (version >= 2) handled_ |= REFER;
        if (version >= 3) handled_ |= TRUNCATE;
        if (version >= 5) handled_ |= IOCTL_DEV;
        const Ruleset ruleset{handled_, version >= 4 ? 3u : 0u, version >= 6 ? 3u : 0u};
        const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
        descriptor_ = static_cast<int>(syscall(CREATE_RULESET, &ruleset, size, 0));
        if (descriptor_ < 0) {
            fail("Landlock");
        }
    }

    void allow(const char* path, std::uint64_t rights) {
        const int file = open(path, O_PATH | O_CLOEXEC);
        if (file < 0) {
            return;  // nothing there: nothing to allow
        }
        struct stat status{};
        if (fstat(file, &status) == 0) {
            PathRule rule{rights & handled_ & (S_ISDIR(status.st_mode) ? ~0ull : ALL_OF_FILES), file};
            if (rule.allowed != 0 && syscall(ADD_RULE, descriptor_, 1, &rule, 0) != 0) {
                fail(path);
            }
        }
        close(file);
    }

    void restrict_self() const {
        if (syscall(RESTRICT_SELF, descriptor_, 0) != 0) {
            fail("Landlock");
        }
        close(descriptor_);
    }

  private:
    int descriptor_ = -1;
    std::uint64_t handled_ = 0;
};

// seccomp. Denied: new namespaces and mounts, in which the limits would not hold; memory that belongs to no mapping and
// so is not measured; and the parts of the kernel that exploits use most and players never.
#if defined(__x86_64__)
constexpr std::uint32_t ARCHITECTURE = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t ARCHITECTURE = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t ARCHITECTURE = 0;
#endif

constexpr int DENIED[] = {
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_setns, SYS_unshare, SYS_chroot,
    428, 429, 430, 431, 432, 442,  // open_tree, move_mount, fsopen, fsconfig, fsmount, mount_setattr
    SYS_memfd_create, 447, SYS_shmget, SYS_shmat, SYS_semget, SYS_msgget, SYS_mq_open, SYS_vmsplice,  // 447: memfd_secret
    425, SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_open_by_handle_at,  // 425: io_uring_setup
    SYS_add_key, SYS_keyctl, SYS_request_key, SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_setpriority, SYS_ioprio_set, SYS_fallocate,
};
// Denied if they are for another process: 0 is the caller.
constexpr int DENIED_FOR_OTHERS[] = {SYS_prlimit64, SYS_sched_setaffinity};
// Landlock does not cover these, which change files that cannot be opened.
constexpr int DENIED_WITH_LANDLOCK[] = {
    SYS_truncate, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr,
    SYS_fremovexattr, SYS_inotify_add_watch, SYS_fanotify_mark, 463, 466,  // setxattrat, removexattrat
#ifdef SYS_chown
    SYS_chown, SYS_lchown,
#endif
};
// Nor these, which programs use on their own files: they do nothing, and succeed.
constexpr int IGNORED_WITH_LANDLOCK[] = {
    SYS_fchmodat, SYS_utimensat, 452,  // fchmodat2
#ifdef SYS_chmod
    SYS_chmod, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

template <class... Lists>
constexpr int total(const Lists&... lists) {
    return (0 + ... + int{sizeof lists / sizeof *lists});
}

void deny_system_calls(bool with_landlock) {
    if (ARCHITECTURE == 0) {
        return;
    }
    constexpr int CALLS = total(DENIED, DENIED_FOR_OTHERS, DENIED_WITH_LANDLOCK, IGNORED_WITH_LANDLOCK);
    sock_filter program[4 * CALLS + 64];
    unsigned short length = 0;
    const auto add = [&](sock_filter instruction) { program[length++] = instruction; };
    const auto load = [&](std::size_t offset) {
        add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)));
    };
    const auto load_argument = [&](int number) { load(offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(number)); };
    const auto answer = [&](int error) { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | unsigned(error))); };
    const auto allow = [&] { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)); };
    const auto unless_equal = [&](unsigned value, unsigned char skip) {
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip));
    };
    const auto deny = [&](unsigned call, int error) {
        unless_equal(call, 1);
        answer(error);
    };
    load(offsetof(seccomp_data, arch));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    answer(ENOSYS);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));  // the x32 names of the same calls
    answer(ENOSYS);
#endif
    for (const int call : DENIED) deny(static_cast<unsigned>(call), call == SYS_fallocate ? EOPNOTSUPP : EPERM);
    deny(435, ENOSYS);  // clone3, whose flags a filter cannot read: the C library then uses clone
    for (const int call : DENIED_FOR_OTHERS) {
        unless_equal(static_cast<unsigned>(call), 4);
        load_argument(0);
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
        answer(EPERM);
        allow();
    }
    if (with_landlock) {
        for (const int call : DENIED_WITH_LANDLOCK) deny(static_cast<unsigned>(call), EPERM);
        for (const int call : IGNORED_WITH_LANDLOCK) deny(static_cast<unsigned>(call), 0);
        deny(SYS_socket, EACCES);  // sockets that have a name are a way to other processes
        unless_equal(SYS_socketpair, 5);
        load_argument(1);
        add(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf));
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_DGRAM, 0, 1));  // which can send to any name
        answer(EACCES);
        allow();
    } else {
        unless_equal(SYS_socket, 7);
        load_argument(0);
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 4, 0));
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 3, 0));
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 2, 0));
        add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0));
        answer(EACCES);  // AF_VSOCK, for one, leaves the network namespace
        allow();
    }
    unless_equal(SYS_clone, 3);
    load_argument(0);
    add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET, 0, 1));
    answer(EPERM);
    allow();
    const sock_fprog filter{length, program};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0 && errno != EINVAL) {  // EINVAL: no seccomp here
        fail("seccomp");
    }
}

#endif

void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0u, 0) == 0) {
        return;
    }
#endif
    const long most = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < most; ++descriptor) {
        close(descriptor);
    }
}

// Apply the limits to this process, which then is the program, or never returns.
[[noreturn]] void become(const Options& options, [[maybe_unused]] const auto& landlock, char** command) {
    limit(RLIMIT_CORE, 0);
    if (options.cpu >= 0) {
        limit(RLIMIT_CPU, options.cpu, options.cpu + 1);
    }
    limit(RLIMIT_DATA, options.data);
    limit(RLIMIT_FSIZE, options.file_size);
    limit(RLIMIT_NOFILE, options.files);
    if (options.directory != nullptr && chdir(options.directory) != 0) {
        fail(options.directory);
    }
#ifdef __linux__
    for (int capability = 0; options.drop_capabilities && capability < 64; ++capability) {
        prctl(PR_CAPBSET_DROP, capability);
    }
#endif
    if (options.uid >= 0) {
        const auto id = static_cast<uid_t>(options.uid);
        if (setgroups(0, nullptr) != 0 || setgid(id) != 0 || setuid(id) != 0) {
            fail("setuid");
        }
    }
    limit(RLIMIT_NPROC, options.processes);  // last, as setuid fails where there are too many processes
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // after setuid, which resets it
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (options.landlock) {
        landlock.restrict_self();
    }
    if (options.filter) {
        deny_system_calls(options.landlock);
    }
#endif
    execvp(command[0], command);
    fail(command[0]);
}

// Process 1 of a PID namespace: orphans become its children, and all processes end when it does.
[[noreturn]] void supervise(pid_t program) {
    int status = 0, left = 0;
    for (pid_t ended; (ended = wait(&status)) != program;) {
        if (ended < 0 && errno != EINTR) {
            _exit(126);
        }
    }
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    kill(-1, SIGKILL);
    while (wait(nullptr) > 0) {
        ++left;
    }
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto microseconds = [](const timeval& time) { return 1'000'000LL * time.tv_sec + time.tv_usec; };
    send_text("ended %d %d %lld", status, left, microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
    _exit(0);
}

}  // namespace

int main(int count, char** words) {
    if (count < 3 || dup2(std::atoi(words[1]), SOCKET) != SOCKET || fcntl(SOCKET, F_SETFD, FD_CLOEXEC) != 0) {
        return 2;
    }
    close_from(SOCKET + 1);
    Options options;
#ifdef __linux__
    Landlock landlock;
#else
    constexpr int landlock = 0;
#endif
    int word = 2;
    for (; word + 1 < count && std::strcmp(words[word], "--") != 0; word += 2) {
        const char *name = words[word], *value = words[word + 1];
        const auto is = [name](const char* option) { return std::strcmp(name, option) == 0; };
        if (is("--init")) options.init = true;
        else if (is("--directory")) options.directory = value;
        else if (is("--uid")) options.uid = std::atol(value);
        else if (is("--drop-capabilities")) options.drop_capabilities = true;
        else if (is("--cpu")) options.cpu = std::atol(value);
        else if (is("--data")) options.data = std::atol(value);
        else if (is("--file-size")) options.file_size = std::atol(value);
        else if (is("--files")) options.files = std::atol(value);
        else if (is("--processes")) options.processes = std::atol(value);
        else if (is("--filter")) options.filter = true;
#ifdef __linux__
        else if (is("--read") || is("--write") || is("--list")) {
            if (!options.landlock) {
                landlock.start();
                options.landlock = true;
            }
            const std::uint64_t read = EXECUTE | READ_FILE | READ_DIR;
            landlock.allow(value, is("--list") ? READ_DIR : is("--read") ? read : ~(MAKE_CHAR | MAKE_BLOCK));
        }
#endif
        else fail(name, EINVAL);
    }
    if (word + 1 >= count) {
        fail("command", EINVAL);
    }
    char** command = words + word + 1;

    char answer = 0;
    if (write(SOCKET, "ready", 5) != 5 || read(SOCKET, &answer, 1) != 1) {
        return 126;  // the referee is gone
    }
    if (!options.init) {
        become(options, landlock, command);
    }
    if (getpid() != 1) {
        fail("PID namespace", EINVAL);  // the end of `supervise` is for one alone
    }
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0);  // the program, a process of the same user, cannot trace this one
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const pid_t program = fork();
    if (program < 0) {
        fail("fork");
    }
    if (program == 0) {
        setsid();
        become(options, landlock, command);
    }
    supervise(program);
}
