# Serves requests over standard input and output. A frame is the length of a JSON header, the length of a body, both as
# four bytes, then header and body. Answers carry the id of their request and may come in any order.
import signal
import struct
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

LENGTHS = struct.Struct(">II")
UMASK = os.umask(0)
os.umask(UMASK)
PREPARED_SECONDS = 60
MAX_HANDLES = 64


class Server:
    def __init__(self, hello):
        self.root = Root(hello["root"])
        self.handles, self.next_handle = {}, 1
        self.prepared, self.guard = {}, threading.Lock()
        self.output = threading.Lock()
        if any(INTENT.match(name) for name in os.listdir(self.root.fd)):
            lock = lock_root(self.root)
            try:
                recover(self.root)
            finally:
                os.close(lock)

    def hello(self, _, __):
        return {"root": self.root.path, "spellings": self.root.spellings, "newFileMode": 0o666 & ~UMASK}, b""

    def locate(self, request, _):
        with locate(self.root, request["path"], request.get("follow", True)) as place:
            found = {"path": place.path, "dangling": place.dangling, "missing": place.missing}
            if not place.missing:
                found["entry"] = describe(self.root, place)
            return found, b""

    def entries(self, request, _):
        return [self._entry(path) for path in request["paths"]], b""

    def _entry(self, path):
        try:
            with locate(self.root, path, follow=False) as place:
                return None if place.missing else describe(self.root, place)
        except (Refused, OSError):
            return None

    def many(self, request, _):
        states, bodies, room = [], [], request["most"]
        for path in request["paths"]:
            state, data = self._state(path, min(request["each"], room))
            room -= len(data)
            states.append(state)
            bodies.append(data)
        return states, b"".join(bodies)

    def _state(self, path, limit):
        """A path that a link, a refusal or a failure is in the way of comes back without a state: the client looks itself."""
        try:
            with locate(self.root, path, follow=False, links=False) as place:
                if place.missing:
                    return {"entry": None}, b""
                entry = describe(self.root, place)
                if entry is None or entry["type"] != "file" or entry["size"] > limit:
                    return {"entry": entry}, b""
                fd = open_file(place, path)
                try:
                    data = read_range(fd, 0, limit)
                finally:
                    os.close(fd)
                return {"entry": dict(entry, size=len(data)), "length": len(data)}, data
        except (Refused, OSError):
            return {}, b""

    def read(self, request, _):
        with locate(self.root, request["path"]) as place:
            fd = open_file(place, request["path"])
            try:
                found = os.fstat(fd)
                entry = entry_of(self.root, place.folder, place.name, place.names, found)
                size = found.st_size
                start, end = request.get("start", 0), request.get("end")
                end = size if end is None else min(end, size)
                if end - start > request["limit"]:
                    return {"path": place.path, "entry": entry, "tooLarge": True}, b""
                return {"path": place.path, "entry": entry}, read_range(fd, start, end)
            finally:
                os.close(fd)

    def hash(self, request, _):
        with locate(self.root, request["path"]) as place:
            fd = open_file(place, request["path"])
            try:
                return {"path": place.path, "hash": hash_of(fd)}, b""
            finally:
                os.close(fd)

    def open(self, request, _):
        with locate(self.root, request["path"]) as place:
            fd = open_file(place, request["path"])
        with self.guard:
            if len(self.handles) >= MAX_HANDLES:
                os.close(fd)
                raise Refused("EMFILE", request["path"])
            handle, self.next_handle = self.next_handle, self.next_handle + 1
            self.handles[handle] = fd
        return {"path": place.path, "handle": handle, "size": os.fstat(fd).st_size}, b""

    def pread(self, request, _):
        return {}, read_range(self.handles[request["handle"]], request["start"], request["end"])

    def close(self, request, _):
        with self.guard:
            fd = self.handles.pop(request["handle"], None)
        if fd is not None:
            os.close(fd)
        return {}, b""

    def list(self, request, _):
        listed = []
        for path in request["paths"]:
            try:
                listed.append(list_folder(self.root, path, request["entries"], request["rules"]))
            except (Refused, OSError) as failure:
                listed.append({"failed": failure.code if isinstance(failure, Refused) else code_of(failure)})
        return listed, b""

    def snapshot(self, request, _):
        with locate(self.root, request["path"], follow=False) as place:
            if place.missing:
                return {"path": place.path, "snapshot": None}, b""
            taken, data = snapshot(self.root, place, request["held"])
            return {"path": place.path, "snapshot": taken}, data

    def prepare(self, request, body):
        """Holds the lock with every path found as rehearsed, until `apply`, `abandon` or the deadline."""
        lock = lock_root(self.root)
        try:
            recover(self.root)
            verify_independent(self.root, request["changes"])
        except BaseException:
            os.close(lock)
            raise
        timer = threading.Timer(PREPARED_SECONDS, self.abandon, [{"token": request["token"]}, b""])
        timer.daemon = True
        with self.guard:
            self.prepared[request["token"]] = (lock, timer, request["changes"], body)
        timer.start()
        return {}, b""

    def apply(self, request, _):
        lock, changes, body = self._take_prepared(request["token"])
        try:
            apply_all(self.root, changes, _contents(changes, body))
            return {}, b""
        finally:
            os.close(lock)

    def abandon(self, request, _):
        try:
            os.close(self._take_prepared(request["token"])[0])
        except Refused:
            pass
        return {}, b""

    def _take_prepared(self, token):
        with self.guard:
            taken = self.prepared.pop(token, None)
        if taken is None:
            raise Refused("EXPIRED")
        lock, timer, changes, body = taken
        timer.cancel()
        return lock, changes, body

    def commit(self, request, body):
        lock = lock_root(self.root)
        try:
            recover(self.root)
            verify_independent(self.root, request["changes"])
            apply_all(self.root, request["changes"], _contents(request["changes"], body))
            return {}, b""
        finally:
            os.close(lock)

    def settle(self, request, _):
        lock = lock_root(self.root)
        try:
            recover(self.root)
            return {"applied": are_applied(self.root, request["changes"])}, b""
        finally:
            os.close(lock)

    def answer(self, header, body):
        try:
            value, data = getattr(self, header["op"])(header, body)
            self.send({"id": header["id"], "value": value}, data)
        except Stale as stale:
            self.send({"id": header["id"], "stale": {"path": stale.path, "why": stale.why}}, b"")
        except Refused as refused:
            self.send({"id": header["id"], "failed": {"code": refused.code, "path": refused.path}}, b"")
        except OSError as error:
            self.send({"id": header["id"], "failed": {"code": code_of(error), "path": header.get("path", "")}}, b"")
        except Exception as error:
            self.send({"id": header["id"], "failed": {"code": "EIO", "path": "", "why": repr(error)[:500]}}, b"")

    def send(self, header, body):
        data = json.dumps(header).encode()
        with self.output:
            try:
                sys.stdout.buffer.write(LENGTHS.pack(len(data), len(body)) + data + body)
                sys.stdout.buffer.flush()
            except OSError:
                pass


def _contents(changes, body):
    contents, at = [], 0
    for change in changes:
        length = change.get("after", {}).get("length", 0)
        contents.append(body[at : at + length])
        at += length
    return contents


def read_frame(source):
    lengths = source.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    header_length, body_length = LENGTHS.unpack(lengths)
    header, body = source.read(header_length), source.read(body_length)
    if len(header) < header_length or len(body) < body_length:
        return None
    return json.loads(header.decode()), body


def serve():
    """Ends with the connection, after what was asked for is done: a commit is never cut short by it."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    source = sys.stdin.buffer
    first = read_frame(source)
    if first is None:
        return
    try:
        server = Server(first[0])
    except (OSError, Refused) as error:
        code = error.code if isinstance(error, Refused) else code_of(error)
        data = json.dumps({"id": first[0]["id"], "failed": {"code": code, "path": first[0]["root"]}}).encode()
        sys.stdout.buffer.write(LENGTHS.pack(len(data), 0) + data)
        sys.stdout.buffer.flush()
        return
    with ThreadPoolExecutor(max_workers=4) as pool:
        frame = first
        while frame is not None:
            pool.submit(server.answer, *frame)
            frame = read_frame(source)


serve()
