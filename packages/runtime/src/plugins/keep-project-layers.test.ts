import { expect, it } from "vitest"
import type { DefinedSettings } from "../config/definitions.ts"
import { withProjectLayers } from "./keep-project-layers.ts"

const layer = (source: string, config: object, isProject = false) => ({ source, config, isProject })

it("takes the user's own from now and the project's from before, in the order in which they speak", () => {
  const was = {
    layers: [
      layer("/home/pawl.jsonc", { model: "a/old" }),
      layer("/p/pawl.jsonc", { small_model: "p/old", model: "p/old" }, true),
    ],
    config: { model: "p/old" },
    directory: "/p",
  } as unknown as DefinedSettings
  const now = {
    layers: [
      layer("/home/pawl.jsonc", { permission: { bash: "deny" } }),
      layer("/p/pawl.jsonc", { model: "p/new" }, true),
      layer("PAWL_CONFIG_CONTENT", { small_model: "c/new" }),
    ],
  } as const

  const kept = withProjectLayers(was, now)

  expect(kept.layers.map(({ source }) => source)).toEqual(["/home/pawl.jsonc", "/p/pawl.jsonc", "PAWL_CONFIG_CONTENT"])
  expect(kept.config).toEqual({ permission: { bash: "deny" }, model: "p/old", small_model: "c/new" })
  expect(kept.directory).toBe("/p")
})
