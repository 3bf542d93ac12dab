import { matchesGlob, relative, resolve } from "node:path"
import { definePlugin, type PluginInput, z } from "@pawl/plugin"
import { createShellReader, type ShellReader } from "@pawl/shell"

const text = z.string().trim().min(1)
const settings = z.strictObject({
  /** Globs of files, relative to the session's directory, that no call may change. */
  protect: z.array(z.strictObject({ files: z.array(text).min(1), message: text.optional() })).default([]),
  /** No command that begins with `before` runs, unless `passed` has run without failing since the last change of a file. */
  require: z.array(z.strictObject({ before: text, passed: text, message: text.optional() })).default([]),
})

type Settings = z.infer<typeof settings>
type Engine = PluginInput["engine"]
type SessionID = Parameters<Engine["getSession"]>[0]

export default definePlugin(async ({ options, engine }) => {
  const rules = settings.parse(options)
  const reader = await createShellReader()
  return {
    async "tool.execute.before"({ tool, sessionID }, { args }) {
      const touched = readCall(tool, args, reader)
      if (rules.protect.length > 0 && touched.files.length > 0) {
        const { directory } = await engine.getSession(sessionID)
        const start = resolve(directory, touched.workdir)
        const paths = touched.files.map((file) => relative(directory, resolve(start, file)))
        checkFiles(paths, rules)
      }
      for (const { before, passed, message } of rules.require) {
        if (!touched.commands.some((command) => begins(command, before))) continue
        if (await hasPassed(engine, sessionID, passed, reader)) continue
        throw new Error(message ?? `"${before}" has to wait: run "${passed}" by itself first, and until it passes.`)
      }
    },
  }
})

interface Touched {
  /** Relative to `workdir`, which is relative to the session's directory. */
  readonly files: readonly string[]
  readonly workdir: string
  readonly commands: readonly string[]
}

/** What a call of a built-in tool would change and run, as far as its arguments tell. */
function readCall(tool: string, args: unknown, reader: ShellReader): Touched {
  const { filePath, patchText, command, workdir } = (args ?? {}) as Readonly<Record<string, unknown>>
  if (tool === "bash" && typeof command === "string") {
    const { commands, redirects } = reader.read(command)
    const written = redirects.filter(({ mode }) => mode === "write")
    const files = written.map(({ path }) => path)
    return { files, workdir: typeof workdir === "string" ? workdir : ".", commands: commands.map((each) => each.text) }
  }
  if (tool === "apply_patch" && typeof patchText === "string") {
    const named = patchText.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)
    return { files: [...named].map(([, path = ""]) => path.trim()), workdir: ".", commands: [] }
  }
  const isWritten = ["edit", "write", "multiedit"].includes(tool) && typeof filePath === "string"
  return { files: isWritten ? [filePath] : [], workdir: ".", commands: [] }
}

function checkFiles(paths: readonly string[], { protect }: Settings): void {
  for (const path of paths) {
    const rule = protect.find(({ files }) => files.some((glob) => matchesGlob(path, glob)))
    if (rule) throw new Error(rule.message ?? `${path} is protected: leave it as it is, or ask the user to change it.`)
  }
}

function begins(command: string, words: string): boolean {
  return command === words || command.startsWith(`${words} `)
}

/** Looks back from the newest call to the last change of a file. What is stored tells, so a restart forgets nothing. */
async function hasPassed(engine: Engine, sessionID: SessionID, check: string, reader: ShellReader): Promise<boolean> {
  for await (const { parts } of engine.readMessages(sessionID)) {
    for (const part of parts.toReversed()) {
      if (part.type !== "tool" || (part.state.status !== "completed" && part.state.status !== "error")) continue
      const { command } = part.state.input as Readonly<Record<string, unknown>>
      if (part.tool === "bash" && typeof command === "string" && isAlone(command, check, reader)) {
        return part.state.status === "completed" && part.state.metadata["exit"] === 0
      }
      if (part.changes && part.changes.length > 0) return false
    }
  }
  return false
}

/** Only where nothing else runs does the exit code speak of the check. */
function isAlone(command: string, check: string, reader: ShellReader): boolean {
  const { commands, unclear } = reader.read(command)
  const own = commands.filter(({ text: words, via }) => via === undefined && !begins(words, "cd"))
  return unclear.length === 0 && own.length === 1 && own.every(({ text: words }) => begins(words, check))
}
