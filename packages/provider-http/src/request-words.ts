import type { JSONObject, Model } from "@pawl/core"

/** What goes with every request for one model. */
export interface RequestWords {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Of the API's own. */
  readonly options?: JSONObject | undefined
}

/** A model whose requests carry these; what a request says itself goes before them. */
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
