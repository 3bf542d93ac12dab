import { chatWire, testProvider } from "@pawl/provider-testkit"
import { openAICompatible } from "./openai-compatible.ts"

testProvider("openai-compatible", {
  open: ({ url }, connection) => openAICompatible({ id: "acme", baseURL: url, ...connection }),
  modelID: "small",
  wire: chatWire,
  lacks: {
    "signed reasoning": "chat completions know no signatures",
    "cache marks": "servers cache by themselves",
  },
})
