/** The second parameter is for methods that take paths, queries and bodies as one object. */
type Call = (input: object, options?: object) => Promise<unknown>

export interface SDKMethod {
  /** As it is called, such as `session.prompt`. */
  readonly name: string
  readonly className: string
  readonly method: string
  readonly call: Call
}

/** Finds all methods of an SDK's client. A method that has two names is found under both. */
export function sdkMethods(client: object): SDKMethod[] {
  return found(client, "")
}

function found(owner: object, prefix: string): SDKMethod[] {
  const className = owner.constructor.name
  return namesOf(owner).flatMap((name): SDKMethod[] => {
    const value: unknown = Reflect.get(owner, name)
    if (typeof value === "function") {
      const call: Call = (input, options) => (value as Call).call(owner, input, options)
      return [{ name: `${prefix}${name}`, className: className.replace(/^_/, ""), method: name, call }]
    }
    const isGroup = typeof value === "object" && value !== null && value.constructor !== Object
    return isGroup ? found(value, `${prefix}${name}.`) : []
  })
}

/** Private members begin with `_`, and `client` sends the requests. */
function namesOf(owner: object): string[] {
  const names = new Set<string>()
  for (let at: object | null = owner; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  }
  return [...names].filter((name) => name !== "constructor" && name !== "client" && !name.startsWith("_"))
}
