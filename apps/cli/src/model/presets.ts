import type { Vendor } from "./provider-kind.ts"

/** A provider that can be named without being configured. */
export interface Preset {
  readonly id: string
  readonly name: string
  readonly baseURL: string
  /** The vendor whose own API it speaks; absent: an OpenAI-compatible one. */
  readonly kind?: Vendor
  /** The environment variable that holds its key; absent for servers on this machine. */
  readonly keyVariable?: string
  /** Variables that are looked at after that. */
  readonly otherKeyVariables?: readonly string[]
  /** The model to use when nothing but the key says which. */
  readonly model?: string
}

/** In the order in which their keys are looked for. */
export const presets: readonly Preset[] = [
  {
    id: "openai",
    name: "OpenAI",
    kind: "openai",
    baseURL: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    model: "gpt-5",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    kind: "anthropic",
    baseURL: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    model: "claude-sonnet-5-5",
  },
  {
    id: "google",
    name: "Google",
    kind: "google",
    baseURL: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    otherKeyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY"],
    model: "gemini-3.8-flash",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    baseURL: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    model: "openrouter/auto",
  },
  {
    id: "groq",
    name: "Groq",
    baseURL: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    model: "openai/gpt-oss-120b",
  },
  {
    id: "mistral",
    name: "Mistral",
    baseURL: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    model: "devstral-medium-latest",
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    baseURL: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    model: "deepseek-chat",
  },
  { id: "ollama", name: "Ollama", baseURL: "http://127.0.0.1:11434/v1" },
  { id: "lmstudio", name: "LM Studio", baseURL: "http://127.0.0.1:1234/v1" },
  { id: "llama.cpp", name: "llama.cpp", baseURL: "http://127.0.0.1:8080/v1" },
  { id: "vllm", name: "vLLM", baseURL: "http://127.0.0.1:8000/v1" },
]

/** The variables that may hold a key, in the order in which they are looked at. */
export const keyVariables: readonly string[] = presets.flatMap((preset) => keyVariablesOf(preset))

export const localPresets: readonly Preset[] = presets.filter(({ keyVariable }) => keyVariable === undefined)

/** The first variable that holds a key of the provider. */
export function setKeyVariable(
  preset: Preset | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return preset && keyVariablesOf(preset).find((name) => environment[name])
}

/** The variables that may hold its key, in the order in which they are looked at. */
export function keyVariablesOf({ keyVariable, otherKeyVariables = [] }: Preset): readonly string[] {
  return keyVariable === undefined ? [] : [keyVariable, ...otherKeyVariables]
}
