import { anthropicWire, testProvider } from "@pawl/provider-testkit"
import { anthropic } from "./anthropic.ts"

for (const modelID of ["claude-sonnet-4-5", "claude-opus-5-5"]) {
  testProvider(`anthropic, ${modelID}`, {
    open: ({ url }, connection) => anthropic({ baseURL: url, ...connection }),
    modelID,
    wire: anthropicWire,
    lacks: { "message prefix": "the cache is asked for by marks, and the messages are not last" },
  })
}
