// What plugins get for `@opencode-ai/sdk` where they did not install it: it lies beside `@opencode-ai/plugin` in OpenCode.

export * from "@opencode-ai/sdk"
