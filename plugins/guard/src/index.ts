import { resolve } from "node:path"
import { definePlugin, z } from "@pawl/plugin"
import { createShellReader } from "@pawl/shell"
import { begins, hasPassed } from "./passed.ts"
import { protectedFiles } from "./protected-files.ts"
import { createShellDirectories } from "./shell-directories.ts"
import { checkTouched, readCall } from "./touched.ts"

const text = z.string().trim().min(1)
const settings = z.strictObject({
  /** Globs of files, relative to the session's directory, that no call may change. */
  protect: z.array(z.strictObject({ files: z.array(text).min(1), message: text.optional() })).default([]),
  /** Blocks commands that begin with `before`, unless `passed` has succeeded since the last change of a file. */
  require: z.array(z.strictObject({ before: text, passed: text, message: text.optional() })).default([]),
})

export default definePlugin(async ({ options, engine }) => {
  const rules = settings.parse(options)
  const reader = await createShellReader()
  const places = createShellDirectories(engine)
  return {
    async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
      const touched = readCall(tool, args, reader)
      if (rules.protect.length > 0 && touched.files.length > 0) {
        const { directory } = await engine.getSession(sessionID)
        const protection = protectedFiles(rules.protect, directory)
        const { isShell, workdir } = touched
        const starts = isShell && workdir === undefined ? await places.read(sessionID, directory) : [directory]
        for (const start of starts) checkTouched(touched, resolve(start, workdir ?? "."), protection)
      }
      for (const { before, passed, message } of rules.require) {
        if (!touched.commands.some((command) => begins(command, before))) continue
        if (await hasPassed(engine, sessionID, passed, reader)) continue
        throw new Error(
          message ?? `"${before}" is blocked until "${passed}" has passed. Run "${passed}" by itself first.`,
        )
      }
      if (touched.isShell && touched.workdir === undefined) places.began(sessionID, callID, touched.directories)
    },
    "tool.execute.after"({ tool, sessionID, callID }, { metadata }) {
      if (tool === "bash") places.ended(sessionID, callID, metadata)
    },
  }
})
