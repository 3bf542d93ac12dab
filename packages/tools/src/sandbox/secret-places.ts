import { join } from "node:path"
import { credentialDirectories, credentialFiles } from "@pawl/core/tool"

/** Files and directories with keys and tokens, relative to a home directory. */
const IN_HOME = [
  ...credentialFiles,
  ...credentialDirectories,
  ".aws",
  ".kube",
  ".docker",
  ".bash_history",
  ".zsh_history",
  ".node_repl_history",
  ".psql_history",
  ".python_history",
  ".config/pawl",
  ".config/opencode",
  ".config/gh",
  ".local/share/pawl",
  ".local/share/opencode",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
]

/** Sockets and state of services. */
const SERVICES = [
  "/run",
  "/var/run",
  "/var/lib/containerd",
  "/var/lib/docker",
  "/var/lib/incus",
  "/var/lib/libvirt",
  "/var/lib/lxd",
  "/var/snap/lxd/common/lxd",
]

/** Returns absolute paths that sandboxed commands cannot see, whether or not they exist. */
export function secretPaths(home: string): readonly string[] {
  return [...IN_HOME.map((name) => join(home, name)), ...SERVICES]
}
