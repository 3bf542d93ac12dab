import type { Config } from "@pawl/config"
import { describe, expect, it } from "vitest"
import type { Layer } from "@pawl/config/layer"
import { connectionOf, projectAddress, type ConnectionSources } from "./connection.ts"

function sources(
  config: Config,
  { isProject = false, ...changes }: Partial<ConnectionSources> & { isProject?: boolean } = {},
) {
  const layers: Layer[] = [{ config, source: "/there/pawl.jsonc", isProject }]
  return { environment: {}, config, layers, ...changes }
}

const at = (baseURL: string, options: object = {}): Config => ({
  provider: { mine: { options: { baseURL, ...options } } },
})

/** What is known of a connection that nothing goes with. */
const bare = (id: string, baseURL: string) => ({ id, name: id, baseURL, keyHint: expect.any(String) as string })

describe("a provider is reached", () => {
  it.each<[name: string, id: string, given: ConnectionSources, expected: object]>([
    [
      "at a known address with its key",
      "openai",
      sources({}, { environment: { OPENAI_API_KEY: "k" } }),
      {
        ...{ name: "OpenAI", baseURL: "https://api.openai.com/v1", apiKey: "k" },
      },
    ],
    [
      "at the address of the flag before any other",
      "openai",
      sources(
        {},
        {
          baseURL: "http://flag/v1",
          environment: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://env/v1" },
        },
      ),
      { baseURL: "http://flag/v1", apiKey: "k" },
    ],
    ["without a key on this machine", "ollama", sources({}), { baseURL: "http://127.0.0.1:11434/v1" }],
    [
      "at a configured address",
      "mine",
      sources(at("http://mine/v1", { apiKey: "k", headers: { a: "b" } })),
      {
        ...{ id: "mine", name: "mine", baseURL: "http://mine/v1", apiKey: "k", headers: { a: "b" } },
      },
    ],
    [
      "with the key that is kept, before one of the environment",
      "openai",
      sources({}, { signIn: { key: "s" }, environment: { OPENAI_API_KEY: "k" } }),
      { apiKey: "s" },
    ],
    [
      "with what a plugin makes of a sign-in, below what is configured",
      "mine",
      sources(
        { provider: { mine: { options: { headers: { a: "c" } } } } },
        { signIn: { key: "s", options: { apiKey: "p", baseURL: "http://plugin/v1", headers: { a: "p", b: "p" } } } },
      ),
      { baseURL: "http://plugin/v1", apiKey: "p", headers: { a: "c", b: "p" } },
    ],
    [
      "with the variable that is named",
      "openai",
      sources({}, { keyVariable: "MY", environment: { MY: "m", OPENAI_API_KEY: "k" } }),
      {
        apiKey: "m",
      },
    ],
    [
      "at the vendor's address by its package, with the vendor's key",
      "mine",
      sources(
        { provider: { mine: { npm: "@ai-sdk/google" } } },
        { environment: { GOOGLE_GENERATIVE_AI_API_KEY: "g" } },
      ),
      { id: "mine", baseURL: "https://generativelanguage.googleapis.com/v1beta", apiKey: "g" },
    ],
    [
      "at its api, with the first of the variables that its configuration names",
      "mine",
      sources(
        { provider: { mine: { api: "http://mine/v1", env: ["A", "B"] } } },
        { environment: { B: "b", PAWL_API_KEY: "p" } },
      ),
      { baseURL: "http://mine/v1", apiKey: "b", keyHint: "Check the variable B." },
    ],
    [
      "with the query, the proxy and the certificates of its configuration",
      "mine",
      sources(at("http://mine/v1", { query: { v: "1" }, proxy: "http://p:1", ca: "ours.pem" })),
      { query: { v: "1" }, proxy: "http://p:1", ca: "/there/ours.pem" },
    ],
    [
      "where OLLAMA_HOST says, without a key",
      "ollama",
      sources({}, { environment: { OLLAMA_HOST: "0.0.0.0:1111" } }),
      { baseURL: "http://127.0.0.1:1111/v1", startHint: "Start it with: ollama serve" },
    ],
    [
      "where ANTHROPIC_BASE_URL says",
      "anthropic",
      sources({}, { environment: { ANTHROPIC_BASE_URL: "http://gate", ANTHROPIC_API_KEY: "a" } }),
      { baseURL: "http://gate/v1", apiKey: "a" },
    ],
    [
      "by a package that knows where",
      "mine",
      sources({ provider: { mine: { npm: "@ai-sdk/cohere" } } }),
      { id: "mine", baseURL: "" },
    ],
    [
      "at the address of the environment",
      "new",
      sources({}, { environment: { PAWL_BASE_URL: "http://env/v1", PAWL_API_KEY: "p" } }),
      {
        ...{ id: "new", baseURL: "http://env/v1", apiKey: "p" },
      },
    ],
  ])("%s", (_name, id, given, expected) => {
    expect(connectionOf(id, given)).toMatchObject(expected)
  })
})

it("is reached without a key where a plugin signs requests in its own way", () => {
  const given = sources({}, { signIn: { options: { apiKey: "" } }, environment: { OPENAI_API_KEY: "k" } })

  const { apiKey, baseURL } = connectionOf("openai", given)
  expect({ apiKey, baseURL }).toEqual({ apiKey: undefined, baseURL: "https://api.openai.com/v1" })
})

describe("a provider is refused", () => {
  it.each<[name: string, id: string, given: ConnectionSources, says: string]>([
    ["without an address", "new", sources({}), 'Provider "new" is not known. Known: openai,'],
    [
      "with an address that is none",
      "new",
      sources({}, { baseURL: "localhost" }),
      '"localhost" is not a valid server URL.',
    ],
    [
      "with an address of another protocol",
      "new",
      sources({}, { baseURL: "ftp://x" }),
      '"ftp://x" is not a valid server URL',
    ],
    ["without its key", "openai", sources({}), "OpenAI needs a key. Set OPENAI_API_KEY"],
    [
      "when the named variable is empty",
      "openai",
      sources({}, { keyVariable: "MY", environment: { MY: "" } }),
      "names MY, which is not set",
    ],
    [
      "with a proxy that is none",
      "mine",
      sources(at("http://mine/v1", { proxy: "proxy.test:3128" })),
      "provider.mine.options.proxy is not a valid proxy URL.",
    ],
    [
      "without the key that its configuration names",
      "mine",
      sources({ provider: { mine: { api: "http://mine/v1", env: ["MINE", "OTHER"] } } }),
      "mine needs a key. Set MINE, or name another",
    ],
  ])("%s", (_name, id, given, says) => {
    expect(() => connectionOf(id, given)).toThrow(says)
  })
})

it("gives a vendor's key to no other address, whatever speaks its API there", () => {
  const config: Config = { provider: { mine: { npm: "@ai-sdk/anthropic", options: { baseURL: "http://mine/v1" } } } }

  const connection = connectionOf("mine", sources(config, { environment: { ANTHROPIC_API_KEY: "k" } }))

  expect(connection).toEqual({ ...bare("mine", "http://mine/v1"), keyHint: expect.stringContaining("PAWL_API_KEY") })
})

describe("an address that came with a project", () => {
  const environment = { PAWL_API_KEY: "k", OPENAI_API_KEY: "k" }

  it("gets no key of the user's", () => {
    const given = sources(at("http://theirs/v1"), { isProject: true, environment })

    expect(() => connectionOf("mine", given)).toThrow('/there/pawl.jsonc sends provider "mine" to http://theirs/v1')
  })

  it("gets none for a provider known by name either", () => {
    const config = { provider: { openai: { options: { baseURL: "http://theirs/v1" } } } }

    expect(() => connectionOf("openai", sources(config, { isProject: true, environment }))).toThrow(
      "pawl does not send your keys or headers",
    )
  })

  it("gets nothing of what the user has signed in with", () => {
    const signIn = { key: "s", options: { headers: { a: "b" } } }
    const given = sources(at("http://theirs/v1"), { isProject: true, signIn })

    expect(() => connectionOf("mine", given)).toThrow("pawl does not send your keys or headers")
    expect(connectionOf("mine", sources(at("http://theirs/v1", { apiKey: "t" }), { isProject: true, signIn }))).toEqual(
      { ...bare("mine", "http://theirs/v1"), apiKey: "t" },
    )
  })

  it.each([
    { apiKey: "secret" },
    { headers: { authorization: "secret" } },
    { query: { key: "secret" } },
    { sdk: { secretAccessKey: "secret" } },
  ])("gets nothing of what the user wrote for another address: %j", (secret) => {
    const user = at("http://mine/v1", secret)
    const project = at("http://theirs/v1")
    const layers: Layer[] = [
      { config: user, source: "/user/pawl.jsonc", isProject: false },
      { config: project, source: "/there/pawl.jsonc", isProject: true },
    ]
    const config = at("http://theirs/v1", secret)

    expect(() => connectionOf("mine", { environment: {}, config, layers })).toThrow(
      /^\/there\/pawl.jsonc sends provider "mine" to http:\/\/theirs\/v1.*--api-key-env/,
    )
    const named = { environment: { MY: "m" }, keyVariable: "MY", config, layers }
    expect(connectionOf("mine", named)).toEqual({
      ...{ ...bare("mine", "http://theirs/v1"), apiKey: "m" },
    })
  })

  it.each<[what: string, options: object, does: string]>([
    ["proxy", { proxy: "http://theirs:3128" }, 'sends provider "mine" through the proxy http://theirs:3128'],
    ["certificates", { ca: "./theirs.pem" }, 'has provider "mine" trust other certificates'],
  ])("is no other than a project's %s", (_what, options, does) => {
    const layers: Layer[] = [
      { config: at("https://mine/v1"), source: "/user/pawl.jsonc", isProject: false },
      { config: { provider: { mine: { options } } }, source: "/there/pawl.jsonc", isProject: true },
    ]
    const given = { environment, config: at("https://mine/v1", options), layers }

    expect(() => connectionOf("mine", given)).toThrow(`/there/pawl.jsonc ${does}. pawl does not send your keys`)
    expect(connectionOf("mine", { ...given, keyVariable: "PAWL_API_KEY" })).toMatchObject({ apiKey: "k" })
  })

  it("is no other than a package's own options of a project, wherever else they are written", () => {
    const own: Config = { provider: { mine: { npm: "@acme/sdk", options: { sdk: { region: "eu" } } } } }
    const theirs: Config = { provider: { mine: { options: { sdk: { baseURL: "https://theirs" } } } } }
    const config: Config = { provider: { mine: { npm: "@acme/sdk", options: { sdk: { baseURL: "https://theirs" } } } } }
    const layers: Layer[] = [
      { config: { provider: { mine: { npm: "@acme/sdk" } } }, source: "/user/pawl.jsonc", isProject: false },
      { config: theirs, source: "/there/pawl.jsonc", isProject: true },
    ]

    expect(() => connectionOf("mine", { environment, config, layers })).toThrow(
      '/there/pawl.jsonc sets options for the package of provider "mine". pawl does not send your keys',
    )
    const last: Layer[] = [...layers, { config: own, source: "--config", isProject: false }]
    expect(() => connectionOf("mine", { environment, config, layers: last })).toThrow("/there/pawl.jsonc sets options")
  })

  it("gets no key of a variable that the project names", () => {
    const config: Config = { provider: { mine: { api: "http://theirs/v1", env: ["DEPLOY_TOKEN"] } } }
    const given = sources(config, { isProject: true, environment: { DEPLOY_TOKEN: "d" } })

    expect(() => connectionOf("mine", given)).toThrow("pass --api-key-env DEPLOY_TOKEN.")
  })

  it("gets the key and the headers that came with it", () => {
    const given = sources(at("http://theirs/v1", { apiKey: "theirs", headers: { a: "b" } }), { isProject: true })

    expect(connectionOf("mine", given)).toMatchObject({ apiKey: "theirs", headers: { a: "b" } })
    expect(projectAddress("mine", given)).toEqual({ baseURL: "http://theirs/v1", file: "/there/pawl.jsonc" })
  })

  it("gets the one that the user names for it", () => {
    const given = sources(at("http://theirs/v1"), { isProject: true, environment, keyVariable: "PAWL_API_KEY" })

    expect(connectionOf("mine", given)).toMatchObject({ baseURL: "http://theirs/v1", apiKey: "k" })
  })

  it("is used without a key where none is needed", () => {
    expect(connectionOf("mine", sources(at("http://theirs/v1"), { isProject: true }))).toEqual({
      ...bare("mine", "http://theirs/v1"),
    })
  })

  it("is not used while the project is not trusted", () => {
    const withheld = at("http://theirs/v1")
    const layers: Layer[] = [{ config: {}, source: "/there/pawl.jsonc", isProject: true, withheld }]
    const given = { environment, config: {}, layers }

    expect(() => connectionOf("mine", given)).toThrow("/there/pawl.jsonc alone, and this project is not trusted")
  })
})

describe("the key is told to the registry", () => {
  it.each<[string, Partial<ConnectionSources> & { config: Config }, [string, string]]>([
    ["of the environment", { config: at("http://m/v1"), environment: { PAWL_API_KEY: "k" } }, ["k", "PAWL_API_KEY"]],
    ["of the configuration", { config: at("http://m/v1", { apiKey: "k" }) }, ["k", "provider.mine.options.apiKey"]],
    ["that was named", { config: at("http://m/v1"), environment: { M: "m" }, keyVariable: "M" }, ["m", "M"]],
  ])("%s", (_, { config, ...changes }, expected) => {
    const told: [string, string][] = []
    const secrets = { add: (value?: string, name = "") => void (value && told.push([value, name])) }

    connectionOf("mine", sources(config, { ...changes, secrets }))

    expect(told).toEqual([expected])
  })
})
