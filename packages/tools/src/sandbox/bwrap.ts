import { execFile } from "node:child_process"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { findProgram } from "../bash/find-program.ts"
import { hasCode } from "../paths.ts"
import { watchMissing } from "./left-places.ts"
import { type Mount, mountArguments } from "./mounts.ts"
import { projectMounts } from "./project-mounts.ts"
import type { Sandbox } from "./sandbox.ts"
import { secretPlaces } from "./secret-places.ts"

export interface BwrapOptions {
  readonly type: "bwrap"
  /** Whether commands reach the network, this machine's own servers included. Otherwise they reach nothing. */
  readonly network: boolean
  /** What may be written besides the project; absolute. */
  readonly writable: readonly string[]
  /** What may not be seen besides the usual places of secrets; absolute. */
  readonly hidden?: readonly string[]
  /** Default: the home directory of this process. */
  readonly home?: string
  /** Where bubblewrap is looked for; default: the PATH of this process. */
  readonly path?: string
  /** Default: the system that this process runs on. */
  readonly platform?: NodeJS.Platform
}

/** No sandbox can be had here; the message says why, and what to do. */
export class SandboxUnavailableError extends Error {
  override readonly name = "SandboxUnavailableError"
}

const PRIVATE_TMP = "/tmp"
const TRIAL_MS = 5000

// Root's commands keep what they need to work with files of other owners, and nothing that changes the machine.
const FILE_CAPABILITIES = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_SETUID", "CAP_SETGID"]

/**
 * A sandbox of bubblewrap: the machine read-only, the project writable but for what decides over later commands, secrets
 * out of sight, `/tmp` of its own, no processes but its own. Tries it out first: rejects with SandboxUnavailableError
 * where it does not work.
 */
export async function bwrapSandbox(options: BwrapOptions): Promise<Sandbox> {
  const { network, writable, hidden = [], home = homedir(), platform = process.platform } = options
  if (platform !== "linux") throw new SandboxUnavailableError(notHere(platform))
  const program = requireBubblewrap(options.path ?? process.env["PATH"] ?? "")
  const isolation = isolationArguments(network)
  await tryOut(program, [...isolation, ...mountArguments([])])

  const temporary = { outside: await realpath(await mkdtemp(join(tmpdir(), "pawl-sandbox-"))), inside: PRIVATE_TMP }
  const ownTmp: Mount = { type: "writable", path: PRIVATE_TMP, from: temporary.outside }
  return {
    temporary,
    env: { TMPDIR: PRIVATE_TMP },
    async wrap(argv, place) {
      const project = await projectMounts({ ...place, writable, hidden: [...secretPlaces(home), ...hidden] })
      const mounts = mountArguments([ownTmp, ...project])
      return [program, ...isolation, ...mounts, "--chdir", place.cwd, "--", ...argv]
    },
    async watch({ worktree, directory }) {
      const roots = await Promise.all([worktree, directory].map((root) => realpath(root).catch(() => root)))
      return watchMissing([...new Set(roots)])
    },
    close: () => rm(temporary.outside, { recursive: true, force: true }),
  }
}

function isolationArguments(network: boolean): readonly string[] {
  return [
    ...[
      "--unshare-pid",
      "--unshare-ipc",
      "--unshare-uts",
      "--unshare-cgroup-try",
      "--die-with-parent",
      "--new-session",
    ],
    ...(network ? [] : ["--unshare-net"]),
    ...["--cap-drop", "ALL"],
    ...(process.getuid?.() === 0 ? FILE_CAPABILITIES.flatMap((name) => ["--cap-add", name]) : []),
  ]
}

function requireBubblewrap(path: string): string {
  const program = findProgram("bwrap", path)
  if (program !== undefined) return program
  throw new SandboxUnavailableError(
    'The sandbox "bwrap" needs bubblewrap, which is not on the PATH. Install the package "bubblewrap" (apt, dnf, pacman, ' +
      "apk: the same name), or turn the sandbox off.",
  )
}

async function tryOut(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, [...args, "--", "true"], { timeout: TRIAL_MS, killSignal: "SIGKILL" })
  } catch (cause) {
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : ""
    const detail = said || (hasCode(cause, "ETIMEDOUT") ? "it did not answer" : String(cause))
    throw new SandboxUnavailableError(
      `The sandbox "bwrap" does not work here: ${detail}. Unprivileged user namespaces may be turned off (see ` +
        "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns and, in a container, its seccomp " +
        "profile). Allow them, or turn the sandbox off.",
      { cause },
    )
  }
}

function notHere(platform: string): string {
  return `The sandbox "bwrap" is there on Linux only, and this is ${platform}. Turn it off, or run pawl in a container.`
}
