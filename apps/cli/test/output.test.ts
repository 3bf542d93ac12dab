import { call, modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { inShell, jsonLines, workplace } from "./workplace.ts"

it("passes a long answer on to a slow reader whole", async () => {
  const { start } = await workplace()
  const answer = "0123456789abcde\n".repeat(40_000).trimEnd()
  await using server = await modelServer({ replies: [reply(text(answer))] })

  const { child, finished } = start(["run", "-m", "custom/test", "--base-url", server.url, "long"])
  child.stdout?.pause()
  await new Promise((resolve) => setTimeout(resolve, 500))
  child.stdout?.resume()

  const { code, stdout } = await finished
  expect({ code, length: stdout.length }).toEqual({ code: 0, length: answer.length + 1 })
})

it("ends quietly when the reader of the answer goes away", async () => {
  const { start } = await workplace()
  await using server = await modelServer({
    replies: [reply(text("First."), call("bash", { command: "sleep 0.2" })), reply(text("Second."))],
  })

  const { child, finished } = start(["run", "-m", "custom/test", "--base-url", server.url, "go"])
  child.stdout?.destroy()

  const { code, stderr } = await finished
  expect(code).toBe(130)
  expect(stderr).not.toContain("EPIPE")
})

it("says that the answer was lost when its disk is full", async () => {
  const { pawl } = await workplace()
  await using server = await modelServer({ replies: [reply(text("An answer."))] })

  const { code, stderr } = await pawl(["run", "-m", "custom/test", "--base-url", server.url, "go"], {
    prefix: inShell("exec >/dev/full"),
  })

  expect(code).toBe(1)
  expect(stderr).toContain("the output could not be written: ENOSPC")
})

it("has no escape codes when it is piped, and with NO_COLOR, whatever the model and the tools print", async () => {
  const { pawl } = await workplace()
  await using server = await modelServer({
    replies: [
      reply(
        text("\u001B[31mRed.\u001B[0m"),
        call("bash", { command: String.raw`printf '\033[2J\033]0;title\007gone\n'; exit 1` }),
      ),
      reply(text("Done.")),
    ],
    repeat: true,
  })
  const args = ["run", "-m", "custom/test", "--base-url", server.url, "go"]

  const runs = [await pawl(args), await pawl(args, { environment: { FORCE_COLOR: "0", NO_COLOR: "1" } })]

  for (const { code, stdout, stderr } of runs) {
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Red.\n\nDone.\n" })
    expect(stderr).toContain("    gone\n")
    expect(stderr).not.toContain("\u001B")
    expect(stderr).not.toContain("\u0007")
  }
})

it("keeps texts exactly as they are in JSON", async () => {
  const { pawl } = await workplace()
  await using server = await modelServer({ replies: [reply(text("\u001B[31mRed\u202E.\r\n\tMore."))] })

  const { stdout } = await pawl(["run", "--format", "json", "-m", "custom/test", "--base-url", server.url, "go"])

  expect(jsonLines(stdout)[1]).toMatchObject({ type: "text", part: { text: "\u001B[31mRed\u202E.\r\n\tMore." } })
})
