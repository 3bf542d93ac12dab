export { default } from "zod"
export * from "zod"
