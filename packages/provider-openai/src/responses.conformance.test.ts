import { responsesWire, testProvider } from "@pawl/provider-testkit"
import { openai } from "./openai.ts"

testProvider("openai, responses", {
  open: ({ url }, connection) => openai({ baseURL: url, ...connection }),
  modelID: "gpt-5.4",
  wire: responsesWire,
  lacks: {
    "message prefix": "the input is not last; the server caches it by tokens",
    "cache marks": "the server caches by itself, by the session's key",
  },
})
