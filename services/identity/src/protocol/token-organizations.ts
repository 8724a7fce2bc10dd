import type { Context } from 'oidc-provider'
import type { Rights } from '../rights/rights.ts'
import { currentRefresh } from './provider-adapter.ts'
import { asksForOrganizations, namesAll } from '../tokens/scope-rules.ts'
import { permissionsFor, type TicketPermission } from '../tokens/token-claims.ts'

type Wish = { sub: string; scope: string; token: boolean; strong: boolean }

/** Permissions that core answered within a request. */
const asked = new WeakMap<Context, readonly TicketPermission[]>()

export const permissionsAskedIn = (ctx: Context) => asked.get(ctx)

/** The organizations that a token may name, of those that are asked for. */
export async function organizationsFor(rights: Rights, ctx: Context) {
  const wish = wishOf(ctx)
  if (!wish) return []
  // A person who may enter an organization has permissions for the token, so one call answers both.
  return wish.token && namesAll(wish.scope)
    ? namedOrganizations(rights, ctx, wish)
    : allOf(rights, wish)
}

function wishOf({ oidc }: Context): Wish | undefined {
  const { AuthorizationCode, RefreshToken, Account } = oidc.entities
  const token = RefreshToken ?? AuthorizationCode
  const scope = [oidc.params?.['scope'], AuthorizationCode?.scope, RefreshToken?.scope].join(' ')
  const sub = Account?.accountId ?? oidc.session?.accountId
  if (sub === undefined || !asksForOrganizations(scope)) return undefined
  return { sub, scope, token: token !== undefined, strong: token?.acr === '2' }
}

async function namedOrganizations(rights: Rights, ctx: Context, { sub, scope, strong }: Wish) {
  const { newest } = currentRefresh() ?? {}
  const permissions = (await permissionsFor(rights, { sub, scope, strong, newest })) ?? []
  asked.set(ctx, permissions)
  return permissions.map(({ rsname }) => rsname)
}

async function allOf({ core }: Rights, { sub, token, strong }: Wish) {
  const memberships = await core.memberships({ query: { sub } })
  // The sign-in pages ask for a missing second factor; a token of a session without it leaves such
  // organizations out.
  const open = memberships.filter(
    ({ secondFactorRequired }) => !secondFactorRequired || !token || strong,
  )
  return open.map(({ resourceId }) => resourceId)
}
