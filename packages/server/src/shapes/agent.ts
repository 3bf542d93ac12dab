import { type Agent, builtinAgents } from "@pawl/core"

/** Converts an agent to OpenCode's form. */
export function openCodeAgent(agent: Agent) {
  const {
    name,
    description,
    mode = "all",
    hidden,
    color,
    topP,
    temperature,
    model,
    prompt,
    steps,
    permission = [],
  } = agent
  const native = builtinAgents.some((each) => each.name === name)
  return {
    ...{ name, mode, native, builtIn: native, permission, options: {}, tools: {} },
    ...(description === undefined ? {} : { description }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(color === undefined ? {} : { color }),
    ...(topP === undefined ? {} : { topP }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(steps === undefined ? {} : { steps, maxSteps: steps }),
  }
}
