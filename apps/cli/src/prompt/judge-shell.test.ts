import { permissionRules } from "@pawl/core"
import { expect, it } from "vitest"
import { judgeShell } from "./judge-shell.ts"

it("ends its question when the run is to stop", async () => {
  const scope = { name: "user", rules: [{ permission: "bash", pattern: "*", action: "ask" } as const] }
  const rules = permissionRules({ agents: new Map(), permission: [scope] }, { name: "build" }, {}, [])
  const stop = new AbortController()
  const judging = judgeShell("true", {
    ...{ rules, directory: "/", worktree: "/", signal: stop.signal },
    bash: { parse: (input) => input, permissions: () => [] },
    async ask(_request, signal) {
      stop.abort()
      return signal.aborted ? "reject" : "once"
    },
  })

  await expect(judging).rejects.toThrow("was refused: true")
})
