/** The variables that say what the proxies are. */
export function proxiesOf(
  environment: Readonly<Record<string, string | undefined>> = {},
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name)))
}
