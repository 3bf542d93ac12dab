import { readdir, stat, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { call, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { inShell, jsonLines, workplace } from "./workplace.ts"

/** What others could look into, below a directory and the directory itself. */
async function open(directory: string): Promise<string[]> {
  const paths = [directory, ...(await readdir(directory, { recursive: true })).map((path) => join(directory, path))]
  const found = await Promise.all(
    paths.map(async (path) => {
      const mode = (await stat(path)).mode & 0o777
      return (mode & 0o077) === 0 ? [] : [`${relative(directory, path) || "."} ${mode.toString(8)}`]
    }),
  )
  return found.flat()
}

it.each(["sqlite", "file"])("keeps all its files for their owner alone, whatever is usual here: %s", async (scheme) => {
  const { pawl, data, project } = await workplace()
  const prefix = inShell("umask 000")
  const place = join(dirname(data), "places", scheme)
  const storage = ["--storage", `${scheme}:${join(place, scheme === "sqlite" ? "pawl.db" : "sessions")}`]
  await writeFile(join(project, "pawl.jsonc"), '{ "plugin": ["./x.js"] }')
  await using server = await modelServer({
    replies: [reply(call("bash", { command: "seq 100000" })), reply(text("Done."))],
  })

  const run = await pawl(
    ["run", "--format", "json", "-m", "custom/test", "--base-url", server.url, ...storage, "count"],
    { prefix },
  )
  const id = String(jsonLines(run.stdout)[0]?.["sessionID"])
  const exported = await pawl(["session", "export", id, "-o", join(place, "export.json"), ...storage], { prefix })
  const trusted = await pawl(["trust", "--yes"], { prefix })
  const removed = await pawl(["session", "remove", "--yes", id, ...storage], { prefix })

  expect([run, exported, trusted, removed].map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect((await readdir(data)).toSorted()).toEqual(["log", "processes", "tool-output", "trash", "trust.json", "undo"])
  expect([...(await open(data)), ...(await open(place))]).toEqual([])
})
