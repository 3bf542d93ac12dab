import { join } from "node:path"
import { credentialDirectories, credentialFiles } from "@pawl/core/tool"

/** Where programs keep keys and tokens, below a home directory. */
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

/** Where services keep their sockets, and state that is no business of commands. */
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

/** What commands in a sandbox do not get to see; absolute, whether or not it exists. */
export function secretPlaces(home: string): readonly string[] {
  return [...IN_HOME.map((name) => join(home, name)), ...SERVICES]
}
