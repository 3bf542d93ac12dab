export * from "./session/message.ts"
