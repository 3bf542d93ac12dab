/** A provider that can be named without being configured. */
export interface Preset {
  readonly id: string
  readonly name: string
  readonly baseURL: string
  /** The environment variable that holds its key; absent for servers on this machine. */
  readonly keyVariable?: string
  /** The model to use when nothing but the key says which. */
  readonly model?: string
}

/** In the order in which their keys are looked for. */
export const presets: readonly Preset[] = [
  {
    id: "openai",
    name: "OpenAI",
    baseURL: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    model: "gpt-5",
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
export const keyVariables: readonly string[] = presets.flatMap(({ keyVariable }) => keyVariable ?? [])

export const localPresets: readonly Preset[] = presets.filter(({ keyVariable }) => keyVariable === undefined)
