# What stands at a path, as the client's workspace describes it.
import hashlib
import re

TEMPORARY = re.compile(r"^\..*\.haft-(\d+)-[0-9a-f]{12}\.tmp$")
MAX_HASHED = 64 * 1024 * 1024
MAX_ENTRIES = 50000
CHUNK = 1024 * 1024
RULE_FILES = (".gitignore", ".ignore")
MAX_RULES = 1024 * 1024


def describe(root, place):
    """The entry at a place; None where nothing is."""
    if place.found is None:
        return None
    return entry_of(root, place.folder, place.name, place.names, place.found)


def entry_of(root, folder, name, names, found):
    entry = {
        "type": type_of(found),
        "size": found.st_size,
        "modifiedMs": found.st_mtime_ns // 1000 / 1000,
        "mode": stat.S_IMODE(found.st_mode) & 0o777,
    }
    if name is not None and not _is_text(name):
        return dict(entry, raw=os.fsencode(name).hex())
    entry["name"] = name or ""
    if name is not None and stat.S_ISLNK(found.st_mode):
        target = os.readlink(name, dir_fd=folder)
        entry["target"] = os.fsencode(target).decode("utf-8", "replace")
        if _leads_out(root, "/".join(names + [name])):
            entry["outside"] = True
    return entry


def type_of(found):
    if stat.S_ISREG(found.st_mode):
        return "file"
    if stat.S_ISDIR(found.st_mode):
        return "directory"
    return "symlink" if stat.S_ISLNK(found.st_mode) else "other"


def open_file(place, given):
    """A regular file, opened without following a link and without waiting for a pipe."""
    if place.found is None:
        raise Refused("ENOENT", given)
    if place.name is None or stat.S_ISDIR(place.found.st_mode):
        raise Refused("EISDIR", given)
    fd = os.open(place.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=place.folder)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    raise Refused("ENXIO", given)


def read_range(fd, start, end):
    chunks, at = [], start
    while at < end:
        chunk = os.pread(fd, min(CHUNK, end - at), at)
        if not chunk:
            break
        chunks.append(chunk)
        at += len(chunk)
    return b"".join(chunks)


def hash_of(fd):
    found = os.fstat(fd)
    if found.st_size > MAX_HASHED:
        return "stat-" + _short(_version(found).encode())
    digest, at = hashlib.sha256(), 0
    while True:
        chunk = os.pread(fd, CHUNK, at)
        if not chunk:
            return digest.hexdigest()[:16]
        digest.update(chunk)
        at += len(chunk)


def snapshot(root, place, held):
    """What a stale check compares; the content of a file up to `held` bytes comes with it."""
    found = place.found
    if found is None:
        return None, b""
    common = {"type": type_of(found), "size": found.st_size, "mode": stat.S_IMODE(found.st_mode) & 0o777}
    if stat.S_ISLNK(found.st_mode):
        target = os.readlink(place.name, dir_fd=place.folder)
        return dict(common, hash="link:" + target, target=target), b""
    if stat.S_ISDIR(found.st_mode):
        return dict(common, **_tree(place)), b""
    if not stat.S_ISREG(found.st_mode):
        return dict(common, hash="stat-" + _short(_version(found).encode())), b""
    fd = open_file(place, place.path)
    try:
        size = os.fstat(fd).st_size
        if size > held:
            return dict(common, size=size, hash=hash_of(fd)), b""
        data = read_range(fd, 0, max(size, held))
        return dict(common, size=len(data), hash=_short(data), held=True), data
    finally:
        os.close(fd)


def list_folder(root, path, wants_entries, wants_rules):
    """The entries of a folder, and the ignore files in it."""
    with locate(root, path) as place:
        if place.found is None:
            raise Refused("ENOENT", path)
        if not stat.S_ISDIR(place.found.st_mode):
            raise Refused("ENOTDIR", path)
        names = place.names + ([] if place.name is None else [place.name])
        folder = os.dup(place.folder) if place.name is None else os.open(place.name, FOLDER, dir_fd=place.folder)
    try:
        listed = {"path": "/".join(names), "entries": []}
        if wants_rules:
            listed["rules"] = _rules(folder)
        if wants_entries:
            for name in os.listdir(folder):
                found = lstat(name, folder)
                if found is not None and not TEMPORARY.match(name):
                    listed["entries"].append(entry_of(root, folder, name, names, found))
        return listed
    finally:
        os.close(folder)


def _rules(folder):
    rules = {"isRepository": lstat(".git", folder) is not None}
    for name in RULE_FILES:
        text = _small_text(folder, name)
        if text is not None:
            rules[name[1:]] = text
    try:
        git = os.open(".git", FOLDER, dir_fd=folder)
        try:
            info = os.open("info", FOLDER, dir_fd=git)
            try:
                rules["exclude"] = _small_text(info, "exclude")
            finally:
                os.close(info)
        finally:
            os.close(git)
    except OSError:
        pass
    return rules


def _small_text(folder, name):
    found = lstat(name, folder)
    if found is None or not stat.S_ISREG(found.st_mode):
        return None
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return None
    try:
        return read_range(fd, 0, MAX_RULES + 1).decode("utf-8", "replace")
    finally:
        os.close(fd)


def _tree(place):
    """Names and versions of everything below a folder. Its own times change with what is in it."""
    digest, entries, sizes = hashlib.sha256(), [], [0]

    def below(folder, parent):
        for name in sorted(os.listdir(folder)):
            found = lstat(name, folder)
            if found is None or TEMPORARY.match(name):
                continue
            path = parent + name
            entries.append(path)
            if len(entries) > MAX_ENTRIES:
                raise Refused("TOO_MANY", place.path)
            is_folder = stat.S_ISDIR(found.st_mode)
            version = str(found.st_ino) if is_folder else _version(found)
            digest.update(("%r %s %s\n" % (path, type_of(found), version)).encode("utf-8", "surrogateescape"))
            if is_folder:
                inner = os.open(name, FOLDER, dir_fd=folder)
                try:
                    below(inner, path + "/")
                finally:
                    os.close(inner)
            elif stat.S_ISREG(found.st_mode):
                sizes[0] += found.st_size

    folder = os.dup(place.folder) if place.name is None else os.open(place.name, FOLDER, dir_fd=place.folder)
    try:
        below(folder, "")
    finally:
        os.close(folder)
    return {"hash": digest.hexdigest()[:16], "size": sizes[0], "entries": [_shown(entry) for entry in sorted(entries)]}


def _leads_out(root, path):
    try:
        locate(root, path).__exit__()
        return False
    except Refused:
        return True
    except OSError:
        return False


def _is_text(name):
    try:
        name.encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False


def _shown(name):
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _version(found):
    return "%d:%d:%d:%d:%d" % (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _short(data):
    return hashlib.sha256(data).hexdigest()[:16]
