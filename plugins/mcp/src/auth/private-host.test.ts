import { expect, it } from "vitest"
import { isPrivateHost } from "./private-host.ts"

const resolve = async (host: string) => {
  if (host === "public.example") return ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]
  if (host === "both.example") return ["93.184.215.14", "10.0.0.1"]
  throw new Error("ENOTFOUND")
}

it.each([
  ...[
    "127.0.0.1",
    "10.1.2.3",
    "169.254.169.254",
    "192.168.1.1",
    "100.100.100.200",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[fe80::1]",
  ],
  ...["[fd00:ec2::254]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[64:ff9b::a00:1]", "[2002:7f00:1::]"],
  ...["localhost", "a.localhost", "localhost.", "both.example"],
])("%s is private", async (host) => {
  expect(await isPrivateHost(host, resolve)).toBe(true)
})

it.each(["93.184.215.14", "[2606:2800:21f::1]", "[64:ff9b::5db8:d70e]", "public.example", "unknown.example"])(
  "%s is not",
  async (host) => {
    expect(await isPrivateHost(host, resolve)).toBe(false)
  },
)
