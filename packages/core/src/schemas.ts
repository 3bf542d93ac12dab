export * from "./session/message.ts"
export { hookMap, type HookMap } from "./hooks/hook-map.ts"
