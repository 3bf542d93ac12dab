import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { cli } from "../src/cli.ts"
import { commands } from "../src/command-table.ts"
import type { Host } from "../src/host.ts"
import { temporaryDirectory, testHost } from "./host.ts"
import { jsonLines } from "./workplace.ts"

// Commands are imported when they are run. Loaded here, they take nothing from the deadline of the first test.
await Promise.all(commands.map(({ load }) => load()))

export interface Called {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Directories of a test's own, and the CLI called in this process: quicker than a child, for what has no signals in it. */
export interface Desk {
  readonly project: string
  readonly data: string
  readonly configuration: string
  /** Changes hold for the calls that follow. */
  readonly environment: Record<string, string>
  readonly pawl: (...args: readonly string[]) => Promise<Called>
  /** The id of a new session with one turn in it. */
  readonly talk: (text: string, ...options: readonly string[]) => Promise<string>
  /** The sessions that are listed. */
  readonly sessions: (...options: readonly string[]) => Promise<Record<string, unknown>[]>
}

export async function desk(changes: Partial<Host> = {}): Promise<Desk> {
  const root = await temporaryDirectory()
  const [project, data, configuration] = ["project", "data", "configuration"].map((name) => join(root, name)) as [
    ...[string, string, string],
  ]
  await Promise.all([mkdir(project), mkdir(configuration)])
  const environment: Record<string, string> = { PAWL_DATA_DIR: data, PAWL_CONFIG_DIR: configuration }

  async function pawl(...args: readonly string[]): Promise<Called> {
    const demoDirectory = join(import.meta.dirname, "../demo")
    const host = testHost({ directory: project, home: root, environment, demoDirectory, ...changes })
    const code = await cli(args, host)
    return { code, stdout: host.stdout.text(), stderr: host.stderr.text() }
  }
  async function sessions(...options: readonly string[]) {
    return jsonLines((await pawl("session", "list", "--format", "json", ...options)).stdout)
  }
  return {
    ...{ project, data, configuration, environment, pawl, sessions },
    async talk(text, ...options) {
      const { code, stderr, stdout } = await pawl("run", "-m", "replay/hello", "--format", "json", ...options, text)
      if (code !== 0) throw new Error(stderr)
      return String(jsonLines(stdout)[0]?.["sessionID"])
    },
  }
}
