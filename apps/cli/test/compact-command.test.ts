import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { reply, stall, text } from "@pawl/model-server"
import { describe, expect, it } from "vitest"
import { desk } from "./in-process.ts"
import { configure, drawerServer, isSummarizing, said, SUMMARY, type SmallWindowOptions } from "./small-window.ts"
import { jsonLines, workplace } from "./workplace.ts"

async function smallDesk(options: SmallWindowOptions) {
  const server = await drawerServer(options)
  const place = await desk()
  await configure(place.configuration, server)
  const summaries = () => server.requests.filter((request) => isSummarizing(request))
  return { ...place, server, summaries, [Symbol.asyncDispose]: () => server.close() }
}

describe("/compact", () => {
  it("replaces older messages by a summary with the user's focus, and is no prompt", async () => {
    await using place = await smallDesk({ drawers: 3 })
    await place.pawl("run", "Open some drawers.")

    const run = await place.pawl("run", "-c", "/compact where the key is")

    expect(run).toMatchObject({ code: 0, stdout: "" })
    expect(run.stderr).toMatch(/compacted to a summary: /)
    expect(said(place.summaries()[0]).at(-1)).toContain("where the key is")
    expect(place.server.requests.at(-1)).toBe(place.summaries()[0])
    await place.pawl("run", "-c", "Go on.")
    const last = said(place.server.requests.at(-1)).join("\n")
    expect(last).toContain(SUMMARY)
    expect(last).not.toContain("/compact")
  })

  it("is a command like others: by its option, as JSON lines, in lists, and replaced by the user's own", async () => {
    await using place = await smallDesk({ drawers: 3 })
    await place.pawl("run", "Open some drawers.")

    const run = await place.pawl("run", "-c", "--command", "compact", "--format", "json", "the key")

    expect(run.code).toBe(0)
    expect(jsonLines(run.stdout)).toContainEqual(expect.objectContaining({ type: "compacted", strategy: "summary" }))
    expect((await place.pawl("command", "list")).stdout).toMatch(/^\/compact .*Replace older messages/m)
    expect((await place.pawl("command", "show", "compact")).stdout).toContain("Replace older messages")
    await mkdir(join(place.configuration, "command"))
    await writeFile(join(place.configuration, "command/compact.md"), "Say it shorter.")
    await place.pawl("run", "-c", "/compact")
    expect(said(place.server.requests.at(-1)).join("\n")).toContain("Say it shorter.")
  })

  it("says what is missing in a new session, and what does not go along with it", async () => {
    await using place = await smallDesk({ drawers: 1 })

    const fresh = await place.pawl("run", "/compact")

    expect(fresh).toMatchObject({ code: 2, stderr: expect.stringContaining('pawl run -c "/compact"') })
    expect(await place.sessions()).toEqual([])
    await place.pawl("run", "Hi.")
    for (const option of [["--queue"], ["-f", "a.txt"], ["--agent", "plan"]]) {
      const { code, stderr } = await place.pawl("run", "-c", ...option, "/compact")
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${option[0]} cannot be used with /compact`)])
    }
    expect(place.summaries()).toEqual([])
  })

  it("fails where no summary makes the session smaller, and says that it is as it was", async () => {
    await using place = await smallDesk({ drawers: 0, summarizer: () => reply(text("No.")) })
    await place.pawl("run", "Hi.")

    const { code, stderr } = await place.pawl("run", "-c", "/compact")

    expect(code).toBe(1)
    expect(stderr).toMatch(/Nothing was compacted: .* The session is as it was\./)
  })

  it("does not speak of a summary before there is one, and has a name of its own for none", async () => {
    await using place = await smallDesk({ drawers: 0, summarizer: () => reply(text("No.")) })
    await place.pawl("run", "Hi.")

    const shown = await place.pawl("run", "-c", "/compact")
    const lines = await place.pawl("run", "-c", "--format", "json", "/compact")

    expect(shown.stderr).not.toContain("replaced")
    expect(jsonLines(lines.stdout).at(-1)).toMatchObject({
      type: "error",
      error: { name: "NotCompactedError", data: { message: expect.stringMatching(/^Nothing was compacted: /) } },
    })
  })

  it("is refused while another process works on the session, without the offer of a queue", async () => {
    await using server = await drawerServer({ drawers: 4, silentAt: 2 })
    const { pawl, start, configuration } = await workplace()
    await configure(configuration, server)

    const { child, finished } = start(["run", "Open some drawers."])
    await server.received(2)
    const refused = await pawl(["run", "-c", "/compact"])
    child.kill("SIGINT")
    await finished

    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/Session ses_\w+ is being worked on by another process/)
    expect(refused.stderr).toContain("When its turn is over")
    expect(refused.stderr).not.toContain("--queue")
  })

  it("leaves no sign of a compaction whose process was killed, once the session goes on", async () => {
    let isStalled = true
    await using server = await drawerServer({
      drawers: 3,
      summarizer: () => reply(isStalled ? stall() : text(SUMMARY)),
    })
    const { pawl, start, configuration } = await workplace()
    await configure(configuration, server)
    await pawl(["run", "Open some drawers."])
    const compacting = async () => {
      const [{ id } = {}] = jsonLines((await pawl(["session", "list", "--format", "json"])).stdout)
      const document = (await pawl(["session", "export", String(id)])).stdout
      return /"compacting": *(\d+)/.exec(document)?.[1]
    }

    const { child, finished } = start(["run", "-c", "/compact"])
    await server.received(5)
    child.kill("SIGKILL")
    await finished

    expect(await compacting()).toMatch(/^\d+$/)
    isStalled = false
    await pawl(["run", "-c", "Go on."])
    expect(await compacting()).toBeUndefined()
  })
})
