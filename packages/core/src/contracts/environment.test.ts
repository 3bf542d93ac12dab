import { expect, it } from "vitest"
import { childEnvironment } from "./environment.ts"

it("hands on what programs need to run", () => {
  const environment = {
    ...{ PATH: "/bin", HOME: "/home/me", USER: "me", LANG: "C.UTF-8", LC_ALL: "C", LC_TIME: "de_DE" },
    ...{ TERM: "xterm", TMPDIR: "/tmp", SHELL: "/bin/sh" },
    ...{ PAWL_CALL: "outer:inner" },
  }
  expect(childEnvironment(environment)).toEqual(environment)
})

it.each([
  ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DATABASE_URL", "PGPASSWORD"],
  ...["NODE_OPTIONS", "LD_PRELOAD", "MY_PATH", "PATH_SECRET", "HOMEBREW_GITHUB_API_TOKEN", "SSH_AUTH_SOCK", ""],
])("keeps %j", (name) => {
  expect(childEnvironment({ PATH: "/bin", [name]: "secret" })).toEqual({ PATH: "/bin" })
})

it("knows names in any case, as Windows has them", () => {
  const environment = { Path: String.raw`C:\Windows`, SystemRoot: String.raw`C:\Windows`, ComSpec: "cmd.exe" }
  expect(childEnvironment(environment)).toEqual(environment)
})

it("leaves out what is not set, and keeps what is empty", () => {
  expect(childEnvironment({ PATH: undefined, LANG: "" })).toEqual({ LANG: "" })
})
