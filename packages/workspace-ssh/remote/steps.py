# One step of a commit for each kind of change, how to take it back, and how to clean up after it.
LIBC = ctypes.CDLL(None, use_errno=True)
NO_REPLACE = 1


def create(root, log, change, content):
    after, folder, name = change["after"], *parent_of(root, change["path"])
    try:
        if after["type"] == "directory" and lstat(name, folder) is not None:
            return
        temp = _announce(log, change["path"], name)
        _stage(folder, temp, after, content, 0o666 & ~UMASK)
        log.add(_step("create", change["path"], temp=temp, ino=os.lstat(temp, dir_fd=folder).st_ino))
        _rename_to_free(folder, temp, folder, name, change["path"])
    finally:
        os.close(folder)


def modify(root, log, change, content):
    after, folder, name = change["after"], *parent_of(root, change["path"])
    try:
        former = os.lstat(name, dir_fd=folder)
        if after["type"] == "directory":
            log.add(_step("mode", change["path"], mode=stat.S_IMODE(former.st_mode)))
            os.chmod(name, after["mode"], dir_fd=folder)
            return
        temp = _announce(log, change["path"], name)
        _stage(folder, temp, after, content, stat.S_IMODE(former.st_mode), former)
        backup = temp_name(name)
        log.add(
            _step("modify", change["path"], temp=temp, backup=backup, ino=os.lstat(temp, dir_fd=folder).st_ino)
        )
        _second_name(folder, name, backup)
        os.rename(temp, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        os.close(folder)


def delete(root, log, change, _):
    folder, name = parent_of(root, change["path"])
    try:
        backup = temp_name(name)
        log.add(_step("delete", change["path"], backup=backup))
        os.rename(name, backup, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        os.close(folder)


def move(root, log, change, _):
    from_folder, from_name = parent_of(root, change["from"])
    try:
        folder, name = parent_of(root, change["path"])
        try:
            backup = temp_name(name) if change.get("replaces") else None
            ino = os.lstat(from_name, dir_fd=from_folder).st_ino
            log.add(_step("move", change["path"], source=change["from"], backup=backup, ino=ino))
            if backup is None:
                _rename_to_free(from_folder, from_name, folder, name, change["path"])
            else:
                _second_name(folder, name, backup)
                os.rename(from_name, name, src_dir_fd=from_folder, dst_dir_fd=folder)
        finally:
            os.close(folder)
    finally:
        os.close(from_folder)


STEPS = {"create": create, "modify": modify, "delete": delete, "move": move}


def undo_steps(root, steps):
    """Takes steps back, the last first. A step that was logged and not taken is recognised by what stands there."""
    for step in reversed(steps):
        try:
            folder, name = parent_of(root, step["path"])
        except Stale:
            continue
        try:
            _undo(root, step, folder, name)
        except OSError:
            pass
        finally:
            os.close(folder)


def _undo(root, step, folder, name):
    found = lstat(name, folder)
    is_ours = found is not None and found.st_ino == step.get("ino")
    backup = step.get("backup")
    if step["op"] == "mode":
        os.chmod(name, step["mode"], dir_fd=folder)
    elif step["op"] == "create" and is_ours:
        _remove(folder, name)
    elif step["op"] == "move" and is_ours:
        source_folder, source = parent_of(root, step["source"])
        try:
            if lstat(source, source_folder) is None:
                os.rename(name, source, src_dir_fd=folder, dst_dir_fd=source_folder)
        finally:
            os.close(source_folder)
    if backup is not None and lstat(backup, folder) is not None:
        now = lstat(name, folder)
        if now is None or now.st_ino == step.get("ino"):
            os.rename(backup, name, src_dir_fd=folder, dst_dir_fd=folder)
        else:
            _remove(folder, backup)
    if step.get("temp"):
        _remove(folder, step["temp"])


def clean_up(root, steps):
    """Removes what was kept for taking steps back. Later steps may have moved the folder it is in."""
    for step in steps:
        for key in ("temp", "backup"):
            if step.get(key):
                _forget(root, _moved_since(steps, step), step[key])


def _moved_since(steps, step):
    folder, is_later = step["folder"], False
    for other in steps:
        if is_later and other["op"] == "move" and (folder + "/").startswith(other["source"] + "/"):
            folder = other["path"] + folder[len(other["source"]) :]
        is_later = is_later or other is step
    return folder


def _forget(root, folder_path, name):
    try:
        with locate(root, folder_path, follow=False, links=False) as place:
            if place.found is None or place.missing:
                return
            inner = os.dup(place.folder) if place.name is None else os.open(place.name, FOLDER, dir_fd=place.folder)
    except (OSError, Refused):
        return
    try:
        _remove(inner, name)
    finally:
        os.close(inner)


def _step(op, path, **more):
    return dict({key: value for key, value in more.items() if value is not None}, op=op, path=path, folder=path.rpartition("/")[0])


def _announce(log, path, name):
    """Logs the temporary name before it exists, so that a killed process leaves none behind."""
    temp = temp_name(name)
    log.add(_step("stage", path, temp=temp), durable=False)
    return temp


def _stage(folder, temp, after, content, mode, former=None):
    """New content under a temporary name, on the disk before anything else happens."""
    if after["type"] == "symlink":
        os.symlink(after["target"], temp, dir_fd=folder)
        return
    if after["type"] == "directory":
        os.mkdir(temp, after.get("mode") or 0o777 & ~UMASK, dir_fd=folder)
        return
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(fd, view) :]
        if former is not None:
            _keep_owner(fd, former)
        os.fchmod(fd, after["mode"] if after.get("mode") is not None else mode)
        if after.get("modifiedMs") is not None:
            moment = int(after["modifiedMs"] * 1000000)
            os.utime(fd, ns=(moment, moment))
        os.fsync(fd)
    finally:
        os.close(fd)


def _keep_owner(fd, former):
    try:
        os.fchown(fd, former.st_uid, former.st_gid)
    except OSError:
        pass


def _rename_to_free(from_folder, from_name, folder, name, path):
    """A rename that never replaces anything."""
    renameat2 = getattr(LIBC, "renameat2", None)
    if renameat2 is not None:
        if renameat2(from_folder, os.fsencode(from_name), folder, os.fsencode(name), NO_REPLACE) == 0:
            return
        failed = ctypes.get_errno()
        if failed == errno.EEXIST:
            raise Stale(path, "was created after it was read")
        if failed not in (errno.EINVAL, errno.ENOSYS):
            raise OSError(failed, os.strerror(failed))
    if lstat(name, folder) is not None:
        raise Stale(path, "was created after it was read")
    os.rename(from_name, name, src_dir_fd=from_folder, dst_dir_fd=folder)


def _second_name(folder, name, backup):
    """Keeps the former content under a second name, so that the rename over the first one is a single step."""
    try:
        os.link(name, backup, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError:
        os.rename(name, backup, src_dir_fd=folder, dst_dir_fd=folder)


def _remove(folder, name):
    found = lstat(name, folder)
    if found is None:
        return
    if not stat.S_ISDIR(found.st_mode):
        os.unlink(name, dir_fd=folder)
        return
    inner = os.open(name, FOLDER, dir_fd=folder)
    try:
        for child in os.listdir(inner):
            _remove(inner, child)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=folder)
