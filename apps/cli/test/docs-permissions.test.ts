import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { credentialDirectories, credentialFiles } from "@pawl/core/tool"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { jsonLines } from "./workplace.ts"

const DOCUMENT = new URL("../../../docs/permissions.md", import.meta.url)

it("says what becomes of calls under the rules that it shows", async () => {
  const { pawl, project, configuration } = await desk()
  const document = await readFile(DOCUMENT, "utf8")
  const [, rules = ""] = /^`pawl\.jsonc`:\n\n```jsonc\n([^]*?)^```$/m.exec(document) ?? []
  const [, table = ""] = /^```text\n([^]*?)^```$/m.exec(document) ?? []
  await writeFile(join(configuration, "pawl.jsonc"), rules)
  await mkdir(join(project, ".git/hooks"), { recursive: true })
  const told = table.trimEnd().split("\n")

  const judged: string[] = []
  for (const line of told) {
    const [, tool = "", input] = /^\w+ +(\S+)(?: (.+))?$/.exec(line) ?? []
    const { stdout, stderr } = await pawl("permissions", "why", "--format", "json", tool, ...(input ? [input] : []))
    const [result] = jsonLines(stdout) as { readonly action: string }[]
    judged.push([(result?.action ?? stderr).padEnd(6), tool, ...(input ? [input] : [])].join(" "))
  }

  expect(told.length).toBeGreaterThan(10)
  expect(judged).toEqual(told)
})

it("lists the files of credentials", async () => {
  const document = await readFile(DOCUMENT, "utf8")
  const [, table = ""] = /^### Files of credentials\n([^]*?)^## /m.exec(document) ?? []

  const listed = Array.from(table.matchAll(/`([^`]+)`/g), ([, name = ""]) => name.toLowerCase())
  expect(listed.toSorted()).toEqual([...credentialFiles, ...credentialDirectories].toSorted())
})
