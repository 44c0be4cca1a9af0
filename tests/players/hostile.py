"""Tries what its last word names on what TARGET names, prints the result, and makes an honest move unless it is killed.

TARGET is a variable of the environment, since a program can read the files that its command names.
"""

import ctypes
import mmap
import os
import resource
import signal
import socket
import sys
import threading
import time
from contextlib import suppress

from honest import position_after_move, write

attack, target = sys.argv[5], os.environ.get("TARGET", "")
MEBIBYTE = bytes(1 << 20)


def read() -> object:
    with open(target) as file:
        return file.read()


def read_and_resign() -> object:
    """Make no move if one of several files can be read: so the referee's results show it."""
    for path in target.split(":"):
        with suppress(OSError), open(path, "rb") as file:
            if file.read():
                os._exit(0)
    return "nothing to read"


def list_folder() -> object:
    return os.listdir(target)


def overwrite() -> object:
    with open(target, "w") as file:
        return file.write("ours")


def connect() -> object:
    return socket.create_connection(("127.0.0.1", int(target)), timeout=5).send(b"hello")


def send_datagram() -> object:
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", int(target)))


def import_solver() -> object:
    sys.path.insert(0, target)
    import maxconnect4

    return maxconnect4.Solver()


def fork_bomb() -> object:
    children = 0
    try:
        while children < 2000:
            if os.fork() == 0:
                time.sleep(1000)
            children += 1
    except OSError as error:
        return f"{children} children, then {error}"
    return f"{children} children"


def start_threads() -> object:
    for count in range(2000):
        try:
            threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
        except RuntimeError:
            return f"{count} threads"
    return "2000 threads"


def shared_memory() -> object:
    """Fill shared mappings, which belong to no process alone, in several processes."""
    for _ in range(4):
        if os.fork() == 0:
            memory = mmap.mmap(-1, 100 << 20)
            memory.write(100 * MEBIBYTE)
            time.sleep(1000)
    time.sleep(1000)
    return None


def hidden_memory() -> object:
    """Fill files in memory that are mapped nowhere."""
    descriptors = []
    for _ in range(400):
        descriptors.append(os.memfd_create("hidden"))
        os.write(descriptors[-1], MEBIBYTE)
    return "400 MiB"


def segments() -> object:
    """Fill System V shared memory, and let go of it."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(0, 100 << 20, 0o1600)
    if segment < 0:
        return os.strerror(ctypes.get_errno())
    return libc.shmat(segment, None, 0)


def fill() -> object:
    """Write files into a folder, as many as possible."""
    written = 0
    try:
        for number in range(500):
            with open(os.path.join(target or ".", f"file{number}"), "wb") as file:
                written += file.write(MEBIBYTE)
    except OSError as error:
        return f"{written >> 20} MiB, then {error}"
    return f"{written >> 20} MiB"


def make_files() -> object:
    for number in range(200_000):
        os.close(os.open(f"empty{number}", os.O_CREAT | os.O_WRONLY))
    return "200,000 files"


def kill_parent() -> object:
    os.kill(os.getppid(), signal.SIGKILL)
    return "killed"


def stop_parent() -> object:
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(1000)
    return None


def kill_everything() -> object:
    os.kill(-1, signal.SIGTERM)
    return "killed"


def kill_target() -> object:
    os.kill(int(target), 0)
    return "reached"


def new_namespaces() -> object:
    return ctypes.CDLL(None).unshare(0x10000000)  # CLONE_NEWUSER


def descriptors() -> object:
    """Write to everything above standard error what would run code where it is unpickled."""
    exploit = b"cos\nsystem\n(S'touch " + target.encode() + b"'\ntR."
    found = []
    for descriptor in range(3, 1024):
        with suppress(OSError):
            found.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        for data in (len(exploit).to_bytes(4, "big") + exploit, exploit):
            with suppress(OSError):
                os.write(descriptor, data)
    if found:
        with open(f"{target}.found", "a") as file:
            file.write(f"{found}\n")
    return found


def connect_to_socket() -> object:
    server = socket.socket(socket.AF_UNIX)
    server.connect(target)
    return server.send(b"hello")


def send_to_socket() -> object:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"hello", target)


def virtual_socket() -> object:
    return socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)


def limit_other() -> object:
    return resource.prlimit(int(target), resource.RLIMIT_NOFILE, (0, 0))


def change_mode() -> object:
    os.chmod(target, 0o777)
    os.utime(target, (0, 0))
    return "changed"


def semaphores() -> object:
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.semget(0, 100, 0o600), libc.msgget(0, 0o600)


def page_tables() -> object:
    """Read one byte of each page table of a huge mapping, which is never written."""
    for _ in range(200):
        memory = mmap.mmap(-1, 1 << 30, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)
        memory.madvise(15)  # MADV_NOHUGEPAGE
        for place in range(0, 1 << 30, 2 << 20):
            memory[place]
        mappings.append(memory)
    time.sleep(1000)
    return None


mappings: list[mmap.mmap] = []


def allocate() -> object:
    """Allocate files that have no names any more."""
    for _ in range(100):
        descriptor = os.open("file", os.O_CREAT | os.O_RDWR)
        os.unlink("file")
        os.posix_fallocate(descriptor, 0, (1 << 20) - 1)
    return "100 MiB"


def environment() -> object:
    return sorted(os.environ)


try:
    print(f"result: {globals()[attack]()!r}", flush=True)
except BaseException as error:
    print(f"refused: {type(error).__name__}: {error}", flush=True)
write(position_after_move())
sys.stdout.flush()
os._exit(0)  # without waiting for threads
