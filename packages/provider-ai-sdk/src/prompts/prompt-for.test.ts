import { describe, expect, it } from "vitest"
import { claudePrompt } from "./claude-prompt.ts"
import { codexPrompt } from "./codex-prompt.ts"
import { defaultPrompt } from "../../../core/src/request/default-prompt.ts"
import { geminiPrompt } from "./gemini-prompt.ts"
import { gptPrompt } from "./gpt-prompt.ts"
import { promptFor } from "./prompt-for.ts"

const prompts = { codexPrompt, gptPrompt, geminiPrompt, claudePrompt, defaultPrompt }

it.each<[keyof typeof prompts, string[]]>([
  ["codexPrompt", ["gpt-5", "gpt-5.1-codex-max", "openai/gpt-5-mini", "codex-mini-latest", "GPT-5", "gpt-6"]],
  ["gptPrompt", ["gpt-4o", "gpt-4.1-mini", "chatgpt-4o-latest", "gpt-35-turbo", "openai/gpt-oss-120b", "my-gpt-4"]],
  ["gptPrompt", ["o1", "o3-mini", "o4-mini-2025-04-16", "openai/o3"]],
  ["geminiPrompt", ["gemini-2.5-pro", "google/gemini-3-flash", "models/gemini-2.0-flash"]],
  ["claudePrompt", ["claude-sonnet-4-5", "us.anthropic.claude-opus-4-1-v1:0", "anthropic/claude-3.7-sonnet:thinking"]],
  ["claudePrompt", ["publishers/anthropic/models/claude-haiku-4-5@20251001"]],
  ["defaultPrompt", ["kimi-k2", "qwen3-coder", "deepseek-r1", "z-ai/glm-4.6", "gemma-3-27b", "llama3.1:8b", "grok-4"]],
  ["defaultPrompt", ["marco-o1", "o12-large", "openai/custom", "claude/other", "", "hello.jsonl"]],
])("gives the %s to %j", (name, modelIDs) => {
  for (const modelID of modelIDs)
    expect([modelID, promptFor(modelID) ?? defaultPrompt]).toEqual([modelID, prompts[name]])
})

it.each<[keyof typeof prompts, string, "anthropic" | "openai" | "gemini" | "default" | undefined]>([
  ["claudePrompt", "our-deployment", "anthropic"],
  ["codexPrompt", "our-deployment", "openai"],
  ["geminiPrompt", "our-deployment", "gemini"],
  ["defaultPrompt", "our-deployment", "default"],
  ["defaultPrompt", "our-deployment", undefined],
  ["claudePrompt", "claude-sonnet-5", "openai"],
  ["gptPrompt", "gpt-4.1", "openai"],
])("gives the %s to %j of the family %s", (name, modelID, family) => {
  expect(promptFor(modelID, family) ?? defaultPrompt).toBe(prompts[name])
})

describe.each(Object.entries(prompts))("the %s", (_name, prompt) => {
  const lines = prompt.split("\n")

  it("is short, and made of sections of whole sentences", () => {
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(prompt).toBe(prompt.trim())
    for (const line of lines.slice(1)) expect(line).toMatch(/^$|^- .*\.$|^[A-Z][a-z ]+$/)
  })

  it("says who speaks, and what holds whatever the model", () => {
    expect(lines[0]).toBe("You are pawl, a coding agent that works in the user's repository through tools.")
    for (const rule of [
      "Make the smallest change that does the whole task.",
      "Never invent file contents, paths or command output.",
      "Do not commit, push, publish or delete what the user did not ask for.",
      "Do not repeat a call that failed in the same way",
      "Calls that do not depend on each other belong in one reply; they run in parallel.",
      "If a check cannot be run, say so.",
      "At the end say what changed, in which files, and how it was checked. Name what is left undone.",
      "Refer to code as path:line.",
    ])
      expect(prompt).toContain(rule)
  })
})

it.each([
  [codexPrompt, "Do not ask whether to go on"],
  [gptPrompt, "Keep going until the whole task is done"],
  [geminiPrompt, "Give tools absolute paths"],
  [geminiPrompt, "Do not narrate"],
  [claudePrompt, "Create no file that the task does not need"],
])("meets a habit of its family alone", (prompt, rule) => {
  expect(Object.values(prompts).filter((each) => each.includes(rule))).toEqual([prompt])
})
