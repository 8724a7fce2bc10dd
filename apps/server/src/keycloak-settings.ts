import { z } from 'zod'

/** Settings for accounts in Keycloak in place of the embedded identity service. */
export const KeycloakEnvironment = z.object({
  KEYCLOAK_URL: z
    .string()
    .regex(
      /^https?:\/\/[^\s?#]+$/,
      'KEYCLOAK_URL must be an address such as https://id.example.org',
    )
    .optional(),
  KEYCLOAK_ADMIN_CLIENT_ID: z.string().default('corvina-core-keycloak-admin-client'),
  KEYCLOAK_ADMIN_CLIENT_SECRET: z.string().optional(),
  KEYCLOAK_REALMS: z
    .string()
    .regex(
      /^\s*[^\s,=]+\s*=\s*[^\s,=/]+\s*(,\s*[^\s,=]+\s*=\s*[^\s,=/]+\s*)*$/,
      'KEYCLOAK_REALMS must be pairs such as nordwerk=plants,acqua=water',
    )
    .optional(),
  KEYCLOAK_SCOPE: z
    .string()
    .regex(
      /^(?=.*\{organization\})[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
      'KEYCLOAK_SCOPE must be scopes with {organization} in one, such as org:{organization} app:*',
    )
    .optional(),
})

export type KeycloakSettings = {
  url: string
  clientId: string
  secret: string
  /** Realm names here, by their different names in Keycloak. */
  realms: ReadonlyMap<string, string>
  /** Scopes to request with an organization, `{organization}` in its place; absent: none. */
  scope?: string
}

/** Keycloak settings: undefined without any, complete, or the names of the missing ones. */
export function keycloakOf(
  env: z.output<typeof KeycloakEnvironment>,
): KeycloakSettings | undefined | { missing: string } {
  const {
    KEYCLOAK_URL: url,
    KEYCLOAK_ADMIN_CLIENT_SECRET: secret,
    KEYCLOAK_ADMIN_CLIENT_ID: clientId,
    KEYCLOAK_SCOPE: scope,
  } = env
  if (url === undefined) return undefined
  if (secret === undefined) {
    return {
      missing: 'KEYCLOAK_URL and KEYCLOAK_ADMIN_CLIENT_SECRET go together: set both or neither',
    }
  }
  const pairs = (env.KEYCLOAK_REALMS ?? '').split(',').filter((one) => one.includes('='))
  const realms = new Map(
    pairs.map((pair) => {
      const [ours = '', theirs = ''] = pair.split('=').map((one) => one.trim())
      return [ours, theirs] as const
    }),
  )
  const base = url.replace(/\/+$/, '')
  return { url: base, clientId, secret, realms, ...(scope !== undefined && { scope }) }
}
