import { chmod, readFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { expect, it } from "vitest"
import { z } from "zod"
import { testContext } from "../../test/context.ts"
import { testDirectory } from "../../test/directory.ts"
import { testTools } from "../../test/tools.ts"

const entries = z.record(
  z.string(),
  z.strictObject({
    command: z.array(z.string()),
    extensions: z.array(z.string()),
    timeout_ms: z.number().exactOptional(),
  }),
)

/** The configuration that the document shows. */
async function documented() {
  const text = await readFile(new URL("../../../../docs/tools.md", import.meta.url), "utf8")
  const [, block = ""] = /^`pawl\.jsonc`:\n\n```jsonc\n([^]*?)^```$/m.exec(text) ?? []
  const { formatter, check } = z.strictObject({ formatter: entries, check: entries }).parse(JSON.parse(block))
  const programs = (from: z.infer<typeof entries>) =>
    Object.entries(from).map(([name, { timeout_ms, ...rest }]) => {
      return { name, ...rest, ...(timeout_ms !== undefined && { timeout: timeout_ms }) }
    })
  return { formatters: programs(formatter), checks: programs(check) }
}

it("runs the formatters and checks of the documented configuration as the document says", async () => {
  const afterEdit = await documented()
  const stub = (exit: number) => `#!/bin/sh\necho "$0" "$@" >> "$LOG"\necho "$0 says"\nexit ${exit}\n`
  const programs = await testDirectory({ prettier: stub(0), tsc: stub(1) })
  for (const name of ["prettier", "tsc"]) await chmod(join(programs, name), 0o755)
  const directory = await testDirectory()
  const log = join(programs, "log")
  const env = async () => ({ PATH: [programs, process.env["PATH"]].join(delimiter), LOG: log })
  const write = async (filePath: string) =>
    testTools(directory, { afterEdit }).run("write", { filePath, content: "x" }, testContext(directory, { env }))

  const { output } = await write("a.ts")
  expect(output).toContain("tsc says")
  await write("notes.md")
  await write("b.py")
  expect((await readFile(log, "utf8")).replaceAll(`${programs}/`, "")).toBe(
    `prettier --write ${directory}/a.ts\ntsc --noEmit\nprettier --write ${directory}/notes.md\n`,
  )
})
