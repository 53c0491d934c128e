# Applies a list of changes, all or none. Each step is logged beside the workspace's files before it is taken, so that the
# next process can take back what a killed one left.
import ctypes
import fcntl
import json
import time

LOCK_SECONDS = 20
INTENT = re.compile(r"^\.intent\.haft-\d+-[0-9a-f]{12}\.tmp$")


class Stale(Exception):
    def __init__(self, path, why):
        super().__init__(path)
        self.path = path
        self.why = why


def lock_root(root):
    """One commit at a time on this machine, whichever process makes it. The lock goes with the descriptor."""
    fd = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=root.fd)
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return fd
        except OSError:
            if time.monotonic() > deadline:
                os.close(fd)
                raise Refused("LOCKED")
            time.sleep(0.02)


def verify_independent(root, changes):
    """Checks the changes that no earlier one prepares; the others only make sense when their turn comes."""
    touched = []
    for change in changes:
        paths = paths_of(change)
        if not any(_related(path, other) for path in paths for other in touched):
            verify(root, change)
        touched.extend(paths)


def verify(root, change):
    kind = change["kind"]
    if kind == "create":
        _assert_state(root, change["path"], None, is_folder=change["after"]["type"] == "directory")
    elif kind == "move":
        _assert_state(root, change["from"], change["before"])
        _assert_state(root, change["path"], change.get("replaces"))
    else:
        _assert_state(root, change["path"], change["before"])


def apply_all(root, changes, contents):
    """Returns once every change is on the disk. Raises with everything as it was before."""
    log = StepLog(root, durable=len(changes) > 1)
    try:
        for index, change in enumerate(changes):
            verify(root, change)
            STEPS[change["kind"]](root, log, change, contents[index])
        log.finish()
    except BaseException:
        undo_steps(root, log.steps)
        log.remove()
        raise
    clean_up(root, log.steps)
    log.remove()


def recover(root):
    """Takes back what killed processes left half done. Called with the lock held, so nobody else is at work."""
    for name in os.listdir(root.fd):
        if not INTENT.match(name):
            continue
        steps, is_finished = StepLog.read(root, name)
        if is_finished:
            clean_up(root, steps)
        else:
            undo_steps(root, steps)
        _unlink(root.fd, name)


def are_applied(root, changes):
    """Whether the tree is as the changes leave it: for a client that lost the answer."""
    expected = {}
    for change in changes:
        if change["kind"] == "move":
            moved = {path: state for path, state in expected.items() if path.startswith(change["from"] + "/")}
            for path, state in moved.items():
                expected[change["path"] + path[len(change["from"]) :]] = state
                expected[path] = None
            expected[change["path"]] = expected.get(change["from"], change["before"]) or change["before"]
            expected[change["from"]] = None
        else:
            expected[change["path"]] = None if change["kind"] == "delete" else change["after"]
    return all(_is_state(root, path, state) for path, state in expected.items())


class StepLog:
    def __init__(self, root, durable):
        self.root, self.durable, self.steps = root, durable, []
        self.name = temp_name("intent")
        self.fd = os.open(self.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=root.fd)

    def add(self, step, durable=True):
        self.steps.append(step)
        self._append(step, durable)

    def finish(self):
        for folder in {step["folder"] for step in self.steps}:
            _sync_folder(self.root, folder)
        self._append({"finished": True})

    def remove(self):
        os.close(self.fd)
        _unlink(self.root.fd, self.name)

    def _append(self, line, durable=True):
        os.write(self.fd, json.dumps(line).encode() + b"\n")
        if self.durable and durable:
            os.fsync(self.fd)

    @staticmethod
    def read(root, name):
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=root.fd)
        try:
            lines = read_range(fd, 0, os.fstat(fd).st_size).split(b"\n")
        finally:
            os.close(fd)
        # What follows the last newline was being written when the process was killed: its step was not taken.
        steps = [json.loads(line.decode()) for line in lines[:-1] if line]
        return [step for step in steps if "folder" in step], {"finished": True} in steps


def paths_of(change):
    return [change["from"], change["path"]] if change["kind"] == "move" else [change["path"]]


def temp_name(name):
    mark = ".haft-%d-%s.tmp" % (os.getpid(), os.urandom(6).hex())
    kept = os.fsencode(name)[: 255 - len(mark) - 1].decode("utf-8", "ignore")
    return "." + kept + mark


def parent_of(root, path):
    """The folder above a path, held open, without following a link."""
    above, _, name = path.rpartition("/")
    try:
        place = locate(root, above, follow=False, links=False)
    except (Refused, OSError):
        raise Stale(path, "the folder above it is another")
    with place:
        if place.found is None or not stat.S_ISDIR(place.found.st_mode):
            raise Stale(path, "the folder above it is gone")
        if place.name is None:
            return os.dup(place.folder), name
        return os.open(place.name, FOLDER, dir_fd=place.folder), name


def _assert_state(root, path, expected, is_folder=False):
    if is_folder and _is_folder(root, path):
        return
    if not _is_state(root, path, expected):
        raise Stale(path, "was created after it was read" if expected is None else "has changed since it was read")


def _is_folder(root, path):
    found = _current(root, path, 0)
    return found is not None and found["type"] == "directory"


def _is_state(root, path, expected):
    current = _current(root, path, 0)
    if expected is None or current is None:
        return expected is current
    if expected["type"] != current["type"]:
        return False
    if expected["type"] == "symlink" and "target" in expected:
        return expected["target"] == current["target"]
    wanted = expected.get("hash")
    if wanted:
        return wanted == current["hash"]
    if expected["type"] == "directory" and "mode" in expected:
        return expected["mode"] == current["mode"]
    if expected["type"] == "directory":
        return "entries" not in expected or sorted(expected["entries"]) == sorted(current["entries"])
    return expected.get("size", current["size"]) == current["size"]


def _current(root, path, held):
    try:
        with locate(root, path, follow=False, links=False) as place:
            return None if place.missing else snapshot(root, place, held)[0]
    except Refused as refused:
        if refused.code == "LINK":
            return None
        raise
    except (FileNotFoundError, NotADirectoryError):
        return None


def _related(path, other):
    return path == other or path.startswith(other + "/") or other.startswith(path + "/")


def _sync_folder(root, path):
    try:
        with locate(root, path, follow=False, links=False) as place:
            os.fsync(place.folder)
    except (OSError, Refused):
        pass


def _unlink(folder, name):
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        pass
