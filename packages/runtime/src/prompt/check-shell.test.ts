import { permissionRules } from "@pawl/core/permission"
import { expect, it } from "vitest"
import { checkShells } from "./check-shell.ts"

it("ends its question when the run is to stop", async () => {
  const scope = { name: "user", rules: [{ permission: "bash", pattern: "*", action: "ask" } as const] }
  const rules = permissionRules({ agents: new Map(), permission: [scope] }, { name: "build" }, {}, [])
  const stop = new AbortController()
  const judging = checkShells(["true"], {
    ...{ rules, agent: "build", directory: "/", worktree: "/", signal: stop.signal },
    bash: { parse: (input) => input, permissions: () => [] },
    async ask(_request, signal) {
      stop.abort()
      return signal.aborted ? "reject" : "once"
    },
  })

  await expect(judging).rejects.toThrow("was refused: true")
})

it("asks for no command while another of the template is denied, nor for a part of one that is", async () => {
  const rule = (pattern: string, action: "ask" | "deny") => ({ permission: "bash", pattern, action })
  const scope = { name: "user", rules: [rule("*", "ask"), rule("rm *", "deny")] }
  const rules = permissionRules({ agents: new Map(), permission: [scope] }, { name: "build" }, {}, [])
  const asked: unknown[] = []
  const context = {
    ...{ rules, agent: "build", directory: "/", worktree: "/" },
    bash: {
      parse: (input: unknown) => input,
      permissions: (input: unknown) => {
        const { command } = input as { command: string }
        return command.split("; ").map((pattern) => ({ permission: "bash", patterns: [pattern] }))
      },
    },
    ask: async (request: unknown) => (asked.push(request), "once" as const),
  }
  for (const commands of [["make", "rm x"], ["make; rm x"]]) {
    await expect(checkShells(commands, context)).rejects.toThrow('bash "rm x" is denied')
  }
  expect(asked).toEqual([])
  await checkShells(["make; ls", "make"], context)
  expect(asked).toHaveLength(3)
})
