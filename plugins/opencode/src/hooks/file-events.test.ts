import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { running } from "../../test/running.ts"

interface Event {
  readonly type: string
  readonly properties: { readonly file?: string; readonly event?: string }
}

it("tells plugins that ask for it of the files that the user changes", async () => {
  const asking: Event[] = []
  const modules = {
    asking: {
      default: async () => ({
        event: async ({ event }: { event: Event }) =>
          void (event.type === "file.watcher.updated" && asking.push(event)),
      }),
    },
  }
  await using scene = await running({ modules })
  const file = join(scene.directory, "mine.txt")
  await expect
    .poll(
      async () => {
        await writeFile(file, String(performance.now()))
        return asking.length
      },
      { interval: 100 },
    )
    .toBeGreaterThan(0)
  expect(asking[0]).toMatchObject({ properties: { file, event: expect.stringMatching(/^(?:add|change)$/) } })
})
