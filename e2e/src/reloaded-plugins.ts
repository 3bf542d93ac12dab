import { mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** Records what the versions of a plugin do. `about` is the id of a call or an event. */
export type Told = (what: string, plugin: string, version: number, about?: string) => void

/** The options of a version. */
export interface ReloadedOptions {
  readonly tell: Told
  readonly remember: (hooks: object) => void
  /** Waits while a tool runs. */
  readonly linger: (callID: string) => Promise<void>
}

/** A plugin of two files. Each may contain a new version; the higher number counts. */
export interface PluginFiles {
  readonly entry: string
  /** Imported by the entry. */
  readonly part: string
}

export async function createPluginFiles(directory: string, name: string): Promise<PluginFiles> {
  await mkdir(join(directory, "plugins"), { recursive: true })
  await mkdir(join(directory, "parts"), { recursive: true })
  const files = { entry: join(directory, "plugins", `${name}.ts`), part: join(directory, "parts", `${name}.ts`) }
  await writeFile(files.part, partText(0))
  await writeFile(files.entry, entryText(name, 0))
  return files
}

/** Writes a version into one of the two files like an editor: to a temporary file, which replaces the old one. */
export async function writeVersion(name: string, files: PluginFiles, version: number): Promise<void> {
  const isOwn = version % 2 === 0
  const path = isOwn ? files.entry : files.part
  await writeFile(`${path}.tmp`, isOwn ? entryText(name, version) : partText(version))
  await rename(`${path}.tmp`, path)
}

function partText(version: number): string {
  return `export const version: number = ${version}\n`
}

function entryText(name: string, version: number): string {
  return `import { version as other } from "../parts/${name}.ts"
const name = ${JSON.stringify(name)}
const version = Math.max(${version}, other)
function plugin({ options }: { options: any }) {
  const ballast = Array.from({ length: 20_000 }, (_, at) => at + version)
  const tell = (what: string, about?: string) => options.tell(what, name, version, about)
  tell("started")
  const hooks = {
    event: ({ event }) => tell("event", event.id),
    "chat.system.transform": (_input, output) => void output.system.push(\`\${name}=\${version}\`),
    "tool.execute.before": ({ callID }) => tell("before", callID),
    "tool.execute.after": ({ callID, status }) => tell("after " + status, callID),
    dispose: () => tell("disposed"),
    tool: {
      ["look_" + name]: {
        description: String(version),
        inputSchema: { type: "object" },
        effect: "pure",
        parse: (input) => input,
        async execute(_input, { callID }) {
          tell("executed", callID)
          await options.linger(callID)
          return { title: "", output: String(version + 0 * ballast[0]) }
        },
      },
    },
  }
  options.remember(hooks)
  return hooks
}
export default Object.assign(plugin, { [Symbol.for("pawl.plugin")]: 1 })
`
}
