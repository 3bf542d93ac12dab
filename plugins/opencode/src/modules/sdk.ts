// `@opencode-ai/sdk` for plugins that did not install it: OpenCode has it installed beside `@opencode-ai/plugin`.

export * from "@opencode-ai/sdk"
