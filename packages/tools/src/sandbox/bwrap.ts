import { execFile } from "node:child_process"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { findProgram } from "../find-program.ts"
import { hasCode, isWithin } from "../paths.ts"
import { homeMasks, homeStartPaths } from "./home-places.ts"
import { watchMissing } from "./left-places.ts"
import { type Mount, mountArguments } from "./mounts.ts"
import { isCovered, machineMounts, type ProjectAccess, projectAccess, withoutMissing } from "./project-mounts.ts"
import type { Sandbox, SandboxWorkspace } from "./sandbox.ts"
import { secretPaths } from "./secret-places.ts"
import { shownInRun } from "./shown-in-run.ts"
import { socketPaths } from "./socket-places.ts"

export interface BwrapOptions {
  readonly type: "bwrap"
  /** Lets commands use the network, including servers on this machine. If false, commands have no network. */
  readonly network: boolean
  /** Absolute paths that may be written in addition to the project. */
  readonly writable: readonly string[]
  /**
   * Absolute paths of sockets, or of directories with sockets, that commands may use. Other sockets outside of the
   * project are hidden.
   */
  readonly sockets?: readonly string[]
  /** Absolute paths that are hidden in addition to the usual locations of secrets. */
  readonly hidden?: readonly string[]
  /** Default: the home directory of this process. */
  readonly home?: string
  /** PATH to search for bubblewrap. Default: the PATH of this process. */
  readonly path?: string
  /** Default: the platform of this process. */
  readonly platform?: NodeJS.Platform
}

/** The sandbox cannot be used. The message has the reason and the next step. */
export class SandboxUnavailableError extends Error {
  override readonly name = "SandboxUnavailableError"
}

const PRIVATE_TMP = "/tmp"
const TRIAL_MS = 5000

// Root's commands keep capabilities for files of other owners, and none that change the machine.
const FILE_CAPABILITIES = ["CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_FSETID", "CAP_SETUID", "CAP_SETGID"]

/**
 * Creates a bubblewrap sandbox: the machine is read-only; the project is writable except files that later commands
 * obey; secrets are hidden; `/tmp` and processes are private. Tests the sandbox first, and rejects with
 * SandboxUnavailableError if it does not work.
 */
export async function bwrapSandbox(options: BwrapOptions): Promise<Sandbox> {
  const { network, writable, sockets = [], hidden = [], home = homedir(), platform = process.platform } = options
  if (platform !== "linux") throw new SandboxUnavailableError(notHere(platform))
  const program = requireBubblewrap(options.path ?? process.env["PATH"] ?? "")
  const isolation = isolationArguments(network)
  await tryOut(program, [...isolation, ...mountArguments([])])

  const temporary = { outside: await realpath(await mkdtemp(join(tmpdir(), "pawl-sandbox-"))), inside: PRIVATE_TMP }
  const ownTmp: Mount = { type: "writable", path: PRIVATE_TMP, from: temporary.outside }
  const shown = await shownInRun(network)
  const projects = createProjects(writable)
  return {
    temporary,
    env: { TMPDIR: PRIVATE_TMP },
    async wrap(argv, workspace) {
      const project = await projects.places(workspace)
      const isBelow = (directories: readonly string[], path: string) => directories.some((each) => isWithin(each, path))
      const isSeen = (path: string) => !isBelow([PRIVATE_TMP, "/dev"], path) || isBelow(project.open, path)
      const others = (await socketPaths()).filter((path) => isSeen(path) && !isBelow(project.roots, path))
      const machine = { cwd: workspace.cwd, hidden: [...secretPaths(home), ...hidden, ...others], sockets, shown }
      const ownHome = await homeMasks(project.roots, await realpath(home).catch(() => home))
      const masks = ownHome.filter(({ path }) => !project.open.includes(path))
      // A mount in the project would make a masked path visible again.
      const own = project.mounts.filter(({ path }) => !isCovered(path, masks, project.open))
      const mounts = [ownTmp, ...(await machineMounts(project, machine)), ...own, ...masks]
      return [program, ...isolation, ...mountArguments(mounts), "--chdir", workspace.cwd, "--", ...argv]
    },
    async watch({ worktree, directory }) {
      const ended = projects.started()
      const roots = await Promise.all([worktree, directory].map((root) => realpath(root).catch(() => root)))
      const started = homeStartPaths(roots, await realpath(home).catch(() => home))
      const settle = await watchMissing([...new Set(roots)], started)
      return async () => {
        const left = await settle()
        ended()
        return left
      }
    },
    close: () => rm(temporary.outside, { recursive: true, force: true }),
  }
}

/** Caches the mounts of projects while commands run, because a running command could swap directories. */
function createProjects(writable: readonly string[]) {
  const known = new Map<string, Promise<ProjectAccess>>()
  const running = new Set<symbol>()
  return {
    places({ worktree, directory }: Pick<SandboxWorkspace, "worktree" | "directory">): Promise<ProjectAccess> {
      const key = `${worktree}\0${directory}`
      const last = known.get(key)
      // `running` includes the command that is about to start.
      if (last && running.size > 1) return last.then(withoutMissing)
      const access = projectAccess({ worktree, directory, writable })
      known.set(key, access)
      return access
    },
    /** Call it before a command starts. Call the result when none of its processes runs any more. */
    started(): () => void {
      const command = Symbol("command")
      running.add(command)
      return () => void running.delete(command)
    },
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
    const stderr = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : ""
    const detail = stderr || (hasCode(cause, "ETIMEDOUT") ? "it did not answer" : String(cause))
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
