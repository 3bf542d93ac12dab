import { expect, it } from "vitest"
import { toolsForModel } from "./tools-for-model.ts"

it.each(["gpt-5", "gpt-5.1-codex", "openai/GPT-6", "gpt-3.5-turbo"])("has %s change files by patches", (id) => {
  expect(toolsForModel(id)).toEqual({ edit: false, multiedit: false, write: false })
})

it.each(["gpt-4", "gpt-4o", "openai/gpt-4.1", "gpt-oss-120b", "claude-opus", "o3", "chatgpt", ""])(
  "has %j change files by the tools for one file",
  (id) => {
    expect(toolsForModel(id)).toEqual({ apply_patch: false })
  },
)
