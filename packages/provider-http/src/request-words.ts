import type { JSONObject, Model } from "@pawl/core/provider"

/** Headers and options of every request for a model. */
export interface RequestWords {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** In the API's own format. */
  readonly options?: JSONObject | undefined
}

/** Returns a model that adds these to its requests. Those of a request take precedence. */
export function withRequestWords(model: Model, { headers, options }: RequestWords): Model {
  if (headers === undefined && options === undefined) return model
  return {
    ...model,
    stream({ settings, ...request }, signal, watch) {
      const joined = { ...options, ...settings.options }
      return model.stream(
        { ...request, headers: { ...headers, ...request.headers }, settings: { ...settings, options: joined } },
        signal,
        watch,
      )
    },
  }
}
