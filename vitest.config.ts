import { defineConfig } from "vitest/config"

// Projects that set `maxWorkers` set `sequence.groupOrder`, too: vitest runs those of another number one after the other.
export default defineConfig({ test: { projects: ["packages/*", "plugins/*", "apps/*"] } })
