import { expect, it } from "vitest"
import { programName } from "./program-name.ts"

it.each([
  ["/usr/local/bin/pawl", {}, "pawl"],
  ["/app/node_modules/pawl/dist/main.js", {}, "pawl"],
  ["/src/apps/cli/src/main.ts", { npm_lifecycle_event: "pawl" }, "npx -y pnpm@12 pawl"],
  ["/src/apps/cli/src/main.ts", {}, "node --conditions=@pawl/source /src/apps/cli/src/main.ts"],
  ["/my src/dist/main.js", {}, "node '/my src/dist/main.js'"],
])("calls %s with %j: %s", (script, environment, name) => {
  expect(programName(script, environment)).toBe(name)
})
