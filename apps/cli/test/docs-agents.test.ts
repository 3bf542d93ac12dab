import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { call, chatRequest, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { jsonLines, workplace } from "./workplace.ts"

const DOCUMENT = new URL("../../../docs/agents.md", import.meta.url)

/** The files that the document shows: a name on a line of its own, and the block below it. */
async function examples(): Promise<[path: string, content: string][]> {
  const found = (await readFile(DOCUMENT, "utf8")).matchAll(/^`([^`\n]+)`:\n\n```\w+\n([^]*?)^```$/gm)
  return [...found].map(([, path = "", content = ""]) => [path, content])
}

it("shows agents, commands, skills and tools that work as it says", async () => {
  const { project, pawl } = await workplace()
  const files = await examples()
  for (const [path, content] of [...files, ["CHANGELOG.md", "# 1.1\n"] as const]) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), content)
  }
  await using server = await modelServer({
    replies: [
      reply(call("word_count", { path: "CHANGELOG.md" }), call("skill", { name: "release" })),
      reply(text("Ok.")),
    ],
  })

  const lists = await Promise.all(["agent", "command", "skill"].map((kind) => pawl([kind, "list", "--format", "json"])))
  const run = await pawl([
    ...["run", "--trust", "-m", "custom/test", "--base-url", server.url],
    ...["/changelog 1.2 'and be short' please"],
  ])

  expect(files.map(([path]) => path)).toEqual([
    ...[".pawl/agent/reviewer.md", "pawl.jsonc", ".pawl/command/changelog.md"],
    ...[".pawl/skill/release/SKILL.md", ".pawl/tool/word_count.ts"],
  ])
  expect(lists.map(({ stderr }) => stderr)).toEqual(["", "", ""])
  expect(lists.flatMap(({ stdout }) => jsonLines(stdout).map(({ name }) => name))).toEqual([
    ...["build", "plan", "general", "explore", "reviewer", "changelog", "compact", "init", "review", "release"],
  ])
  expect(run).toMatchObject({ code: 0, stdout: "Ok.\n" })
  const [first, second] = server.requests.map((request) => chatRequest(request))
  const said = JSON.stringify(first?.messages.at(-1))
  expect(said).toContain("for version 1.2 into @CHANGELOG.md")
  expect(said).toContain("and be short please")
  expect(said).toContain("# 1.1")
  expect(JSON.stringify(server.requests[0]?.body)).toContain("Reads changes and finds mistakes in them.")
  const results = JSON.stringify(second?.messages.slice(-2))
  expect(results).toContain("2 words")
  expect(results).toContain("Publish nothing that is not tagged.")
})
