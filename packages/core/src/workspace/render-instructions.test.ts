import { expect, it } from "vitest"
import { renderNested } from "./render-instructions.ts"

it("nested instructions are shown to the model as a reminder with their paths", () => {
  const files = [
    { path: "/p/a/AGENTS.md", text: "Use tabs." },
    { path: "/p/a/b/AGENTS.md", text: "Use spaces." },
  ]
  expect(renderNested(files)).toBe(`<system-reminder>
These instructions hold for what lies in the directories of their files.

Instructions from: /p/a/AGENTS.md
Use tabs.

Instructions from: /p/a/b/AGENTS.md
Use spaces.
</system-reminder>`)
})
