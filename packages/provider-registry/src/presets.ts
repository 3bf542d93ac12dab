/** A vendor whose own API is spoken. */
export type Vendor = "anthropic" | "google" | "openai"

/** A provider that can be named without being configured. */
export interface Preset {
  readonly id: string
  readonly name: string
  readonly baseURL: string
  /** Vendor whose own API it uses. Default: an OpenAI-compatible API. */
  readonly kind?: Vendor
  /** The environment variable that holds its key; absent for servers on this machine. */
  readonly keyVariable?: string
  /** Variables that are looked at after that. */
  readonly otherKeyVariables?: readonly string[]
  /** The variable that may hold another address, which gets the key, too. */
  readonly addressVariable?: string
  /** The model to use when nothing but the key says which. */
  readonly model?: string
  /** How to start a server on this machine, a whole sentence. */
  readonly start?: string
}

/** In the order in which their keys are looked for. */
export const presets: readonly Preset[] = [
  {
    id: "openai",
    name: "OpenAI",
    kind: "openai",
    baseURL: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    addressVariable: "OPENAI_BASE_URL",
    model: "gpt-5",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    kind: "anthropic",
    baseURL: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    addressVariable: "ANTHROPIC_BASE_URL",
    model: "claude-sonnet-5-5",
  },
  {
    id: "google",
    name: "Google",
    kind: "google",
    baseURL: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    otherKeyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    model: "gemini-3.8-flash",
  },
  keyed("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "openrouter/auto"),
  keyed("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "openai/gpt-oss-120b"),
  keyed("mistral", "Mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY", "devstral-medium-latest"),
  keyed("deepseek", "DeepSeek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", "deepseek-chat"),
  keyed("xai", "xAI", "https://api.x.ai/v1", "XAI_API_KEY"),
  keyed("cerebras", "Cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
  keyed("together", "Together AI", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
  keyed("fireworks", "Fireworks AI", "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
  keyed("deepinfra", "DeepInfra", "https://api.deepinfra.com/v1/openai", "DEEPINFRA_API_KEY"),
  keyed("moonshot", "Moonshot AI", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
  keyed("zai", "Z.AI", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY"),
  keyed("nvidia", "NVIDIA", "https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY"),
  keyed("huggingface", "Hugging Face", "https://router.huggingface.co/v1", "HUGGINGFACE_API_KEY"),
  local("ollama", "Ollama", 11434, "Start it with: ollama serve"),
  local("lmstudio", "LM Studio", 1234, "Start it with: lms server start"),
  local("llama.cpp", "llama.cpp", 8080, "Start it with: llama-server -m <file>"),
  local("vllm", "vLLM", 8000, "Start it with: vllm serve <model>"),
  local("sglang", "SGLang", 30000, "Start it with: python3 -m sglang.launch_server --model-path <model>"),
  local("jan", "Jan", 1337, "Start it in Jan's settings, under Local API Server."),
  local("localai", "LocalAI", 8080, "Start it with: local-ai run"),
]

function keyed(id: string, name: string, baseURL: string, keyVariable: string, model?: string): Preset {
  return { id, name, baseURL, keyVariable, ...(model === undefined ? {} : { model }) }
}

function local(id: string, name: string, port: number, start: string): Preset {
  return { id, name, baseURL: `http://127.0.0.1:${port}/v1`, start }
}

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
