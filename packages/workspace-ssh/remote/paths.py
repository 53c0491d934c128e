# Where a path leads. Every folder on the way is held open while the next name is looked up, so a folder that is
# swapped for a link in between leads nowhere. This file and its neighbours are sent to the remote machine as one program.
import errno
import os
import stat

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MAX_LINKS = 40


class Refused(Exception):
    """A request that cannot be served; the code is an errno name or one of ours."""

    def __init__(self, code, path=""):
        super().__init__(code)
        self.code = code
        self.path = path


class Root:
    def __init__(self, path):
        self.path = os.path.realpath(os.path.expanduser(path))
        self.spellings = sorted({self.path, os.path.abspath(os.path.expanduser(path))})
        self.fd = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


class Place:
    """A located path. `folder` is the deepest folder that exists; close it when done."""

    def __init__(self, folder, names, name=None, found=None):
        self.folder = folder
        self.names = names
        self.name = name
        self.found = found
        self.missing = []
        self.dangling = False

    @property
    def path(self):
        return "/".join(self.names + ([] if self.name is None else [self.name]) + self.missing)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.folder)


def parts_of(path):
    return [part for part in path.split("/") if part not in ("", ".")]


def locate(root, path, follow=True, links=True):
    """Follows links that stay inside the root. `follow` decides about the last name, `links=False` refuses every link."""
    held, names, pending = [os.dup(root.fd)], [], parts_of(path)
    followed, from_link = 0, 0
    try:
        while pending:
            name, came_by_link = pending.pop(0), from_link > 0
            from_link = max(0, from_link - 1)
            if name == "..":
                if not names:
                    raise Refused("OUTSIDE", path)
                names.pop()
                os.close(held.pop())
                continue
            found = lstat(name, held[-1])
            if found is None:
                return _missing(held, names, [name] + pending, came_by_link)
            if stat.S_ISLNK(found.st_mode) and (pending or follow):
                if not links:
                    raise Refused("LINK", path)
                followed += 1
                if followed > MAX_LINKS:
                    raise Refused("ELOOP", path)
                target = os.readlink(name, dir_fd=held[-1])
                if target.startswith("/"):
                    target_parts = _below(root, target, path)
                    for fd in held[1:]:
                        os.close(fd)
                    held, names = held[:1], []
                else:
                    target_parts = parts_of(target)
                pending, from_link = target_parts + pending, len(target_parts)
                continue
            if not pending:
                return _take(held, Place(held[-1], names, name, found))
            if not stat.S_ISDIR(found.st_mode):
                place = _missing(held, names, [name] + pending, False)
                place.found = None
                return place
            held.append(os.open(name, FOLDER, dir_fd=held[-1]))
            names.append(name)
        return _take(held, Place(held[-1], names, None, os.fstat(held[-1])))
    except BaseException:
        for fd in held:
            _close(fd)
        raise


def lstat(name, folder):
    try:
        return os.lstat(name, dir_fd=folder)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _missing(held, names, rest, dangling):
    place = _take(held, Place(held[-1], names, rest[0]))
    place.missing, place.dangling = rest[1:], dangling
    return place


def _take(held, place):
    for fd in held[:-1]:
        os.close(fd)
    held[:] = []
    return place


def _below(root, target, path):
    parts = parts_of(target)
    for spelling in root.spellings:
        above = parts_of(spelling)
        if parts[: len(above)] == above:
            return parts[len(above) :]
    raise Refused("OUTSIDE", path)


def _close(fd):
    try:
        os.close(fd)
    except OSError:
        pass


def code_of(error):
    return errno.errorcode.get(error.errno or 0, "EIO")
