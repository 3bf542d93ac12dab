import type { Hooks } from "../hooks/hooks.ts"
import type { HookInput } from "../contracts/hooks.ts"
import type { ModelRequest } from "../contracts/model.ts"

/** Whose request it is: what hooks are told besides the request. */
export type RequestAbout = HookInput<"chat.params">

export type RequestHooks = Pick<Hooks, "has" | "transform">

/** The request as `chat.params` and then `chat.headers` want it. The same where nobody takes part. */
export async function withSettings(
  hooks: RequestHooks,
  about: RequestAbout,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelRequest> {
  if (!hooks.has("chat.params") && !hooks.has("chat.headers")) return request
  const { options: given = {}, ...rest } = request.settings
  const draft = { ...rest, options: { ...given } }
  const { options, ...settings } = await hooks.transform("chat.params", about, draft, signal)
  const { headers } = await hooks.transform("chat.headers", about, { headers: { ...request.headers } }, signal)
  return { ...request, settings: { ...settings, options: options as never }, headers }
}

/** A request that is no step of the conversation, such as one for a title: its system prompt is the hooks' as well. */
export async function withRequestHooks(
  hooks: RequestHooks,
  about: RequestAbout,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const { message: _, ...asked } = about
  const { system } = hooks.has("chat.system.transform")
    ? await hooks.transform("chat.system.transform", asked, { system: [...request.system] }, signal)
    : request
  const written = system.filter((block) => block.trim() !== "")
  return withSettings(hooks, about, { ...request, system: written }, signal)
}
