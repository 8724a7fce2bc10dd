import type { IdentityDeps } from '../identity-deps.ts'
import { everyOrganization, organizationsIn } from '../tokens/scope-rules.ts'

type Clients = Pick<IdentityDeps, 'clients'>
type Asked = { scope?: unknown; acr_values?: unknown; claims?: unknown }

/**
 * Test that the authorization request wants a second factor: `2` first in `acr_values`, or as an
 * essential `acr` claim.
 */
export function acrWanted({ acr_values: values, claims }: Asked) {
  const wished = typeof values === 'string' ? values.split(' ')[0] : undefined
  return wished === '2' || essentialAcr(claims)?.includes('2') === true
}

/**
 * Levels in an essential `acr` claim, one of which the sign-in must reach; undefined without such a
 * claim.
 */
export function essentialAcr(claims: unknown): string[] | undefined {
  const acr = acrClaim(claims)
  if (acr?.essential !== true) return undefined
  const values = [acr.value, ...(Array.isArray(acr.values) ? acr.values : [])]
  const levels = values.filter((one): one is string => typeof one === 'string')
  return levels.length === 0 ? undefined : levels
}

type AcrClaim = { essential?: unknown; value?: unknown; values?: unknown }

function acrClaim(claims: unknown): AcrClaim | undefined {
  if (typeof claims !== 'string') return undefined
  try {
    const read = JSON.parse(claims) as { id_token?: { acr?: AcrClaim | null } } | null
    return read?.id_token?.acr ?? undefined
  } catch {
    return undefined // the provider refuses invalid JSON
  }
}

/** Organizations of the person that require a second factor, by resourceId, and the number of all. */
async function strictOrganizations({ clients }: Clients, sub: string) {
  const memberships = await clients.core.memberships({ query: { sub } })
  const strict = memberships.filter((one) => one.secondFactorRequired)
  return { strict: new Set(strict.map(({ resourceId }) => resourceId)), count: memberships.length }
}

/**
 * Test that an organization in the scope requires a second factor. `org:*` counts when the person has a
 * single organization.
 */
export async function organizationWants(clients: Clients, sub: string, scope: unknown) {
  const text = typeof scope === 'string' ? scope : ''
  const named = organizationsIn(text)
  const everywhere = text.split(' ').includes(everyOrganization)
  if (named.length === 0 && !everywhere) return false
  const { strict, count } = await strictOrganizations(clients, sub)
  return named.some((one) => strict.has(one)) || (everywhere && count === 1 && strict.size === 1)
}
