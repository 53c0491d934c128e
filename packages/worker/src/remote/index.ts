// The entry "@haft/worker/remote", for the process that makes calls. Loads nothing of the runtime that executes them.
export { type RemoteOptions, type RemoteRuntime, remoteRuntime } from "./remote-runtime.js";
