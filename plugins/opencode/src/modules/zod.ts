// `zod` for plugins that did not install it: OpenCode has it installed beside `@opencode-ai/plugin`.

export { default } from "zod"
export * from "zod"
