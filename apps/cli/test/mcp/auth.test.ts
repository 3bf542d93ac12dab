import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { startProtectedServer } from "../../../../plugins/mcp/test/auth/protected-server.ts"
import { jsonLines, workplace } from "../workplace.ts"

it("signs in with any browser, uses the server, and signs out", async () => {
  const { pawl, start, configuration } = await workplace()
  await using server = await startProtectedServer()
  await writeFile(
    join(configuration, "pawl.jsonc"),
    JSON.stringify({ mcp: { box: { type: "remote", url: server.url } } }),
  )
  const status = async () => jsonLines((await pawl(["mcp", "list", "--format", "json"])).stdout)[0]

  expect(await status()).toMatchObject({ status: "needs_auth", signedIn: false })
  expect((await pawl(["run", "-m", "replay/hello", "go"])).stderr).toContain("Run: pawl mcp auth box")

  const signing = start(["mcp", "auth", "box"])
  let said = ""
  signing.child.stderr?.on("data", (text: string) => (said += text))
  await signing.said("code_challenge_method")
  await (await fetch(/^http\S+$/m.exec(said)?.[0] ?? "")).text()
  const signedIn = await signing.finished

  expect(signedIn.code).toBe(0)
  expect(signedIn.stdout).toMatch(/^Signed in to "box": /)
  expect(await status()).toMatchObject({ status: "connected", signedIn: true, tools: 1 })
  expect((await pawl(["mcp", "call", "box", "whoami"])).stdout).toBe("you\n")

  const out = await pawl(["mcp", "logout", "box"])
  const again = await pawl(["mcp", "logout", "box"])

  expect(out).toMatchObject({ code: 0, stdout: 'Signed out of "box".\n' })
  expect(again.stdout).toBe('You were not signed in to "box".\n')
  expect(await status()).toMatchObject({ status: "needs_auth", signedIn: false })
})
