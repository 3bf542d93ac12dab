import { generateKeyPairSync, sign } from "node:crypto"

/** A certificate for these host names that is its own authority, and its key, both as PEM. */
export function selfSigned(...names: readonly string[]): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const algorithm = der(0x30, Buffer.from("06082a8648ce3d040302", "hex"))
  const name = der(0x30, der(0x31, der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("pawl test")))))
  const validity = der(0x30, der(0x17, Buffer.from("200101000000Z")), der(0x18, Buffer.from("21000101000000Z")))
  const hosts = der(0x30, ...names.map((host) => der(0x82, Buffer.from(host))))
  const extensions = der(0xa3, der(0x30, der(0x30, Buffer.from("0603551d11", "hex"), der(0x04, hosts))))
  const certified = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  )
  const signature = der(0x03, Buffer.from([0]), sign("sha256", certified, privateKey))
  const lines = der(0x30, certified, algorithm, signature).toString("base64").replace(/.{64}/g, "$&\n")
  const cert = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  return { cert, key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() }
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
