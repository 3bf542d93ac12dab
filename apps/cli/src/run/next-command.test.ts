import { expect, it } from "vitest"
import { nextCommand, nextCommandFor } from "./next-command.ts"

const facts = { program: "pawl", sessionID: "ses_1", directory: "/srv", here: "/srv", options: [] } as const

it("goes on with the newest session of the directory", () => {
  expect(nextCommand({ ...facts, choice: { type: "new" } })).toBe('pawl run -c "…"')
})

it("names the session that was named", () => {
  expect(nextCommand({ ...facts, here: "/", choice: { type: "id", id: "ses_1" } })).toBe('pawl run -s ses_1 "…"')
})

it("names the directory where it is another one, and options that are needed again, for a shell", () => {
  const options = [
    ["--script", undefined],
    ["--base-url", "http://127.0.0.1:1/v1"],
  ] as const

  expect(nextCommand({ ...facts, directory: "/my work/it's", choice: { type: "newest" }, options })).toBe(
    `pawl run -c --dir '/my work/it'\\''s' --base-url http://127.0.0.1:1/v1 "…"`,
  )
})

it("repeats general options that the session depends on", () => {
  const host = { program: "pawl", directory: "/srv", repeated: [["--config", "my team.jsonc"]] } as const
  expect(nextCommandFor(host, "ses_1", undefined)).toBe(`pawl run -s ses_1 --config 'my team.jsonc' "…"`)
})

it("names the storage that a named session lies in, without its password", () => {
  const host = { program: "pawl", directory: "/srv" }
  expect(nextCommandFor(host, "ses_1", undefined)).toBe('pawl run -s ses_1 "…"')
  expect(nextCommandFor(host, "ses_1", "file:/srv/s")).toBe('pawl run -s ses_1 --storage file:/srv/s "…"')
  expect(nextCommandFor(host, "ses_1", "postgres://ada:hunter2@db/x")).not.toContain("hunter2")
})
