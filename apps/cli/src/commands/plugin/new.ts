import { constants, copyFile, mkdir, readdir, writeFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { kitArchive } from "../../plugins/kit-archive.ts"
import { pathIn } from "@pawl/runtime/plugins/plugin-file"
import { KIT_FILE, scaffold } from "../../plugins/scaffold.ts"

const pluginNewOptions = {} as const

const NAME = /^[a-z0-9][a-z0-9._-]{0,60}$/

/** Creates a directory with a working plugin and its tests. */
async function pluginNew(
  { words: [target = ""] }: CommandInput<typeof pluginNewOptions>,
  host: Host,
): Promise<ExitCode> {
  const directory = resolve(host.directory, target)
  const name = basename(directory)
  if (!NAME.test(name)) {
    throw new UsageError(
      `invalid package name "${name}": use lowercase letters, digits, "-", "_" and ".", at most 61.`,
      "Example: pawl plugin new ticket",
    )
  }
  await mkdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST" || error.code === "ENOTDIR")
      throw new UsageError(`${directory} is a file.`, "Choose another name.")
    throw error
  })
  if ((await readdir(directory)).length > 0) {
    throw new UsageError(`${directory} is not empty.`, "Choose another name, or empty it.")
  }
  await copyFile(kitArchive, join(directory, KIT_FILE), constants.COPYFILE_EXCL).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error
      throw new UsageError("The kit for plugins is not built.", "Build pawl first: pnpm build")
    },
  )
  host.stdout.write(`${join(target, KIT_FILE)}\n`)
  for (const [path, text] of Object.entries(scaffold(name))) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text, { flag: "wx" })
    host.stdout.write(`${join(target, path)}\n`)
  }
  const path = pathIn(host.directory, directory)
  host.stderr.write(`Test it: cd ${path} && npm install && npm test\nUse it: ${host.program} plugin add ${path}\n`)
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["plugin new <name>"],
  notes: ["Creates a directory with a plugin in TypeScript: a tool, a guard and passing tests. It needs no build."],
  words: { min: 1, max: 1, missing: "missing name: pawl plugin new <name>" },
  options: pluginNewOptions,
  examples: [["pawl plugin new ticket && cd ticket && npm install && npm test", "create and test a plugin"]],
  run: pluginNew,
})
