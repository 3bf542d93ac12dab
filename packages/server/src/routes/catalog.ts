import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { offeredCommands } from "../prompt/compacted.ts"
import { openCodeAgent } from "../shapes/agent.ts"
import { openCodeCommand } from "../shapes/command.ts"
import { openCodeConfig, openCodeFormatters } from "../shapes/config.ts"
import { defaultModels, openCodeProvider, withOlderFields } from "../shapes/provider.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

export const catalogOperations: Operations = {
  "GET /config": { id: "config.get", summary: "Returns the configuration.", answer: answers.config },
  "GET /config/providers": {
    id: "config.providers",
    summary: "Lists providers with their models.",
    answer: z.object({ providers: z.array(answers.provider), default: z.record(z.string(), z.string()) }),
  },
  "GET /provider": {
    id: "provider.list",
    summary: "Lists providers with their models, and those that can be used.",
    answer: z.object({
      all: z.array(answers.provider),
      default: z.record(z.string(), z.string()),
      connected: z.array(z.string()),
    }),
  },
  "GET /agent": { id: "app.agents", summary: "Lists agents.", answer: z.array(answers.agent) },
  "GET /command": { id: "command.list", summary: "Lists slash commands.", answer: z.array(answers.command) },
  "GET /experimental/tool/ids": {
    id: "tool.ids",
    summary: "Lists the names of tools.",
    answer: z.array(z.string()),
  },
  "GET /experimental/tool": { id: "tool.list", summary: "Lists tools.", answer: z.array(answers.tool) },
  "GET /skill": { id: "app.skills", summary: "Lists skills.", answer: z.array(answers.skill) },
  "GET /formatter": { id: "formatter.status", summary: "Lists formatters.", answer: z.array(answers.formatter) },
}

/** Routes for configuration, providers, agents, commands and tools. */
export function addCatalogRoutes(app: Hono, { host }: AppContext): void {
  const providers = async () => Promise.all((await host.providers()).map((each) => openCodeProvider(each)))

  app.get("/config", async (context) => context.json(openCodeConfig(await host.config())))
  app.get("/config/providers", async (context) => {
    const all = await providers()
    return context.json({ providers: all, default: defaultModels(all) })
  })
  app.get("/provider", async (context) => {
    const all = await providers()
    return context.json({
      all: all.map((each) => withOlderFields(each)),
      default: defaultModels(all),
      connected: all.map(({ id }) => id),
    })
  })
  app.get("/agent", async (context) => context.json((await host.agents()).map((each) => openCodeAgent(each))))
  app.get("/command", async (context) =>
    context.json((await offeredCommands(host)).map((each) => openCodeCommand(each))),
  )
  app.get("/experimental/tool/ids", async (context) => {
    return context.json(((await host.tools?.()) ?? []).map(({ name }) => name))
  })
  app.get("/experimental/tool", async (context) => {
    const tools = (await host.tools?.()) ?? []
    return context.json(
      tools.map(({ name, description, inputSchema }) => ({ id: name, description, parameters: inputSchema })),
    )
  })
  app.get("/skill", async (context) => context.json((await host.skills?.()) ?? []))
  app.get("/formatter", async (context) => context.json(openCodeFormatters(await host.config())))
}
