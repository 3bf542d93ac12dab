import { join } from "node:path"

/** Where programs keep keys and tokens, below a home directory. */
const IN_HOME = [
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".docker",
  ".password-store",
  ".netrc",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".vault-token",
  ".bash_history",
  ".zsh_history",
  ".node_repl_history",
  ".psql_history",
  ".python_history",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".terraform.d/credentials.tfrc.json",
  ".config/pawl",
  ".config/opencode",
  ".config/gcloud",
  ".config/gh",
  ".config/git/credentials",
  ".config/op",
  ".local/share/pawl",
  ".local/share/opencode",
  ".local/share/keyrings",
  ".claude",
  ".claude.json",
  ".codex",
  ".gemini",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
]

/** Sockets of services that do on behalf of others what the sandbox does not allow. */
const SERVICES = [
  "/run/docker.sock",
  "/run/containerd",
  "/run/podman",
  "/run/crio",
  "/run/user",
  "/run/dbus",
  "/run/systemd/private",
  "/run/snapd.socket",
  "/run/libvirt",
]

/** What commands in a sandbox do not get to see; absolute, whether or not it exists. */
export function secretPlaces(home: string): readonly string[] {
  return [...IN_HOME.map((name) => join(home, name)), ...SERVICES]
}
