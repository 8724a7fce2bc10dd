import type { FeatureSettings } from './feature-rules.ts'

/** Settings of the portal by the operator, served as `/portal-settings.json`. */
export type Settings = {
  /** Origin of the installation; this page may be at the host of an organization. */
  origin?: string
  /** Base address of a host with words that replace or add to the built-in ones. */
  i18nHost?: string
  /** Base address of the Keycloak where people sign in; absent: at this origin. */
  identityUrl?: string
  /** Name of the realm at that Keycloak. */
  identityRealm?: string
  /** Scope to request from that Keycloak for an organization; absent: none. */
  identityScope?: string
  features?: FeatureSettings
  /** Tiles of the device map: addresses with {z}, {x} and {y}, or an archive of them. */
  map?: { tiles?: string; pmtiles?: string; attribution?: string }
}

let settings: Promise<Settings> | undefined

/** The installation's settings; none when they cannot be had, the built-in words are complete. */
export const portalSettings = () => knownSettings().catch((): Settings => ({}))

/** The same, for what must not guess: thrown when they cannot be had. Asked for once. */
const knownSettings = () =>
  (settings ??= readSettings('').catch((cause: unknown) => {
    settings = undefined
    throw cause
  }))

/** The settings, with how a realm is called where people sign in. */
export const settingsOfRealm = async (realm: string): Promise<Settings> => {
  const all = await knownSettings()
  if (all.identityUrl === undefined) return all
  return readSettings(`?${new URLSearchParams({ realm })}`)
}

async function readSettings(query: string): Promise<Settings> {
  const answer = await fetch(`/portal-settings.json${query}`, {
    signal: AbortSignal.timeout(30_000),
  })
  if (answer.status >= 500) throw new Error(`The settings did not come: ${answer.status}`)
  // A server of pages alone has no such file.
  const json = answer.headers.get('content-type')?.includes('json') === true
  return answer.ok && json ? ((await answer.json()) as Settings) : {} // read field by field with checks
}
