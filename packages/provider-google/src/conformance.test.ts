import { geminiWire, testProvider } from "@pawl/provider-testkit"
import { google } from "./google.ts"

testProvider("google", {
  open: ({ origin }, connection) => google({ baseURL: `${origin}/v1beta`, ...connection }),
  modelID: "gemini-3.5-flash",
  wire: geminiWire,
  lacks: {
    "streamed arguments": "Gemini sends the arguments of a call whole",
    "arguments as text": "Gemini sends arguments as an object, which is never broken",
    "message prefix": "the contents are not last; the server caches them by tokens",
    "cache marks": "the server caches by itself",
  },
})
