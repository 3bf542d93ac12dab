import type { Hooks } from "../hooks/hooks.ts"
import type { HookInput } from "../contracts/hooks.ts"
import type { ModelRequest } from "../contracts/model.ts"

/** Facts about a request that hooks get in addition to the request. */
export type RequestAbout = HookInput<"chat.params">

export type RequestHooks = Pick<Hooks, "has" | "transform">

/** Runs the hooks `chat.params` and then `chat.headers`. Returns the same request if no plugin has them. */
export async function withSettings(
  hooks: RequestHooks,
  about: RequestAbout,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelRequest> {
  if (!hooks.has("chat.params") && !hooks.has("chat.headers")) return request
  const { options: initial = {}, ...rest } = request.settings
  const draft = { ...rest, options: { ...initial } }
  const { options, ...settings } = await hooks.transform("chat.params", about, draft, signal)
  const { headers } = await hooks.transform("chat.headers", about, { headers: { ...request.headers } }, signal)
  return { ...request, settings: { ...settings, options: options as never }, headers }
}

/** Runs the hooks on a request outside of the conversation, such as for a title, including `chat.system.transform`. */
export async function withRequestHooks(
  hooks: RequestHooks,
  about: RequestAbout,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const { message: _, ...info } = about
  const { system } = hooks.has("chat.system.transform")
    ? await hooks.transform("chat.system.transform", info, { system: [...request.system] }, signal)
    : request
  const written = system.filter((block) => block.trim() !== "")
  return withSettings(hooks, about, { ...request, system: written }, signal)
}
