/**
 * The 24 plugins for OpenCode that were downloaded most often from npm in a month of 2026, most often first: of the packages
 * whose name or description says OpenCode, those with a module that pawl can load as a plugin.
 */
export const pluginNames: readonly string[] = [
  "opencode-anthropic-auth",
  "oh-my-opencode",
  "opencode-antigravity-auth",
  "opencode-copilot-auth",
  "@tarquinen/opencode-dcp",
  "opencode-gemini-auth",
  "opencode-lmstudio",
  "opencode-supermemory",
  "opencode-pty",
  "opencode-swarm",
  "oh-my-opencode-slim",
  "opencode-openai-codex-auth",
  "opencode-google-antigravity-auth",
  "opencode-wakatime",
  "opencode-beads",
  "@different-ai/opencode-browser",
  "oh-my-aegis",
  "context-mode",
  "opencode-orchestrator",
  "opencode-qwen-cli-auth",
  "opencode-skills",
  "opencode-sonarqube",
  "opencode-cursor-auth",
  "opencode-qwencode-auth",
]
