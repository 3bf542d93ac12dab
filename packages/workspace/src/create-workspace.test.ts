import { tmpdir } from "node:os"
import { expect, it } from "vitest"
import { createWorkspace } from "./create-workspace.ts"

it("fetches addresses through the host's function, each once", async () => {
  const requests: string[] = []
  const workspace = createWorkspace({
    fetch: async (input) => {
      requests.push(input instanceof Request ? input.url : input.toString())
      return new Response("Use tabs.")
    },
  })
  const places = { directory: tmpdir(), worktree: tmpdir(), files: ["https://rules.test/a.md"] }

  const { instructions } = await workspace.loadInstructions(places)
  await workspace.loadInstructions(places)

  expect(instructions.at(-1)).toEqual({ path: "https://rules.test/a.md", text: "Use tabs." })
  expect(requests).toEqual(["https://rules.test/a.md"])
})
