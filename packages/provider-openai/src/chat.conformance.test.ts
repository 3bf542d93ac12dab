import { chatWire, testProvider } from "@pawl/provider-testkit"
import { openai } from "./openai.ts"

testProvider("openai, chat", {
  open: ({ url }, connection) => openai({ api: "chat", baseURL: url, ...connection }),
  modelID: "gpt-4.1",
  wire: chatWire,
  lacks: {
    "reasoning that shows": "OpenAI's chat completions never show any",
    "signed reasoning": "chat completions know no signatures",
    "message prefix": "the messages are not last; the server caches them by tokens",
    "cache marks": "the server caches by itself, by the session's key",
  },
})
