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
  alarms: async () => (await import('@longreach/alarms')).alarms,
  notifications: async () => (await import('@longreach/notifications')).notifications,
  triggers: async () => (await import('@longreach/triggers')).triggers,
  dashboards: async () => (await import('@longreach/dashboards')).dashboards,
}

export const serviceNames = Object.keys(all)
/** Addresses below `/svc/` that existing clients expect, where they do not begin with the name of the service. */
const knownAddresses: Readonly<Record<string, string>> = {
  alarms: 'platform/api/v1/alarms',
  notifications: 'notification/api/v1',
  triggers: 'trigger/api/v1',
  dashboards: 'mappings/api/v1/dashboards',
}
/** Address of a service's calls below `/svc/`; its OpenAPI document is `openapi.json` there. */
export const addressOfService = (name: string) => knownAddresses[name] ?? `${name}/api/v1`
/** Addresses of the services whose calls all stand in an OpenAPI document; identity speaks OpenID Connect. */
export const withDocuments = serviceNames
  .filter((name) => name !== 'identity')
  .map(addressOfService)

/**
 * Services named by `SERVICES`, or all. Those that they call, and core and identity, which say who may call,
 * run here too or have an address in `others`.
 */
export async function chosenServices(
  names: string[] | undefined,
  settings: Chosen = { keycloak: undefined },
  others: Readonly<Record<string, string>> = {},
): Promise<AnyService[]> {
  const services = await loadedServices(names, settings)
  const called = services.flatMap(({ needs }) => Object.values(needs).map(({ service }) => service))
  const there = new Set([
    ...services.map(({ contract }) => contract.service),
    ...Object.keys(others),
  ])
  const missing = ['identity', 'core', ...called].filter((name) => !there.has(name))
  if (missing.length === 0) return services
  throw new SettingsError(
    [...new Set(missing)].map(
      (name) =>
        `SERVICES leaves out ${name}: set ${settingOf(name)} to the address of the process that runs it, ` +
        'such as http://10.0.0.5:8080',
    ),
  )
}

async function loadedServices(names: string[] | undefined, settings: Chosen) {
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
export function elsewhere(env: NodeJS.ProcessEnv): Record<string, string> {
  const found = serviceNames.flatMap((name) => {
    const url = env[settingOf(name)]
    return url ? [{ name, url }] : []
  })
  const wrong = found.filter(({ url }) => !/^https?:\/\/[^/?#\s]+\/?$/.test(url))
  if (wrong.length > 0) {
    throw new SettingsError(
      wrong.map(({ name }) => `${settingOf(name)} must be an origin such as http://10.0.0.5:8080`),
    )
  }
  return Object.fromEntries(found.map(({ name, url }) => [name, url.replace(/\/$/, '')]))
}

const settingOf = (name: string) => `${name.toUpperCase()}_URL`
