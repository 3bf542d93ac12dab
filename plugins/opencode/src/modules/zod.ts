// What plugins get for `zod` where they did not install it: it lies beside `@opencode-ai/plugin` in OpenCode.

export { default } from "zod"
export * from "zod"
