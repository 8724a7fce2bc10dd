import type { AnyService } from '@longreach/kit/service'
import { type Settings, SettingsError } from './settings.ts'

type Chosen = Pick<Settings, 'keycloak'>

/** All services; a process loads only those that it runs. */
const all: Record<string, (settings: Chosen) => Promise<AnyService>> = {
  identity: async ({ keycloak }) => {
    if (!keycloak) return (await import('@longreach/identity')).identity
    return (await import('@longreach/identity/keycloak')).keycloakIdentity(keycloak)
  },
  core: async () => (await import('@longreach/core')).core,
  mappings: async () => (await import('@longreach/mappings')).mappings,
  platform: async () => (await import('@longreach/platform')).platform,
  audit: async () => (await import('@longreach/audit')).audit,
}

export const serviceNames = Object.keys(all)
/** Services whose calls all stand in an OpenAPI document; identity speaks OpenID Connect. */
export const withDocuments = serviceNames.filter((name) => name !== 'identity')

/** Services named by `SERVICES`, or all. */
export async function chosenServices(
  names: string[] | undefined,
  settings: Chosen = { keycloak: undefined },
): Promise<AnyService[]> {
  const chosen = (names ?? serviceNames).map((name) => {
    const load = all[name]
    if (load) return load(settings)
    throw new SettingsError([
      `SERVICES names "${name}"; it is a comma-separated list of ${serviceNames.join(', ')}`,
    ])
  })
  return Promise.all(chosen)
}

/** Addresses of services in other processes: `CORE_URL`, `IDENTITY_URL` … */
export const elsewhere = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(
    serviceNames.flatMap((name) => {
      const url = env[`${name.toUpperCase()}_URL`]
      return url ? [[name, url]] : []
    }),
  )
