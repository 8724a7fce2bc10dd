import type { Context } from 'oidc-provider'
import type { IdentityDeps } from '../identity-deps.ts'
import { renewingNow } from './provider-adapter.ts'
import { asksForOrganizations, namesAll } from '../tokens/scope-rules.ts'
import { permissionsFor, type TicketPermission } from '../tokens/token-claims.ts'

type Clients = Pick<IdentityDeps['clients'], 'core'>
type Wish = { sub: string; scope: string; token: boolean; strong: boolean }

/** What core said in a request about the organizations that it names. */
const asked = new WeakMap<Context, readonly TicketPermission[]>()

export const permissionsAskedIn = (ctx: Context) => asked.get(ctx)

/** The organizations that a token may name, of those that are asked for. */
export async function organizationsFor(clients: Clients, ctx: Context) {
  const wish = wishOf(ctx)
  if (!wish) return []
  // Who may enter is who has something to be written into the token, so one question answers both.
  return wish.token && namesAll(wish.scope) ? named(clients, ctx, wish) : allOf(clients, wish)
}

function wishOf({ oidc }: Context): Wish | undefined {
  const { AuthorizationCode, RefreshToken, Account } = oidc.entities
  const token = RefreshToken ?? AuthorizationCode
  const scope = [oidc.params?.['scope'], AuthorizationCode?.scope, RefreshToken?.scope].join(' ')
  const sub = Account?.accountId ?? oidc.session?.accountId
  if (sub === undefined || !asksForOrganizations(scope)) return undefined
  return { sub, scope, token: token !== undefined, strong: token?.acr === '2' }
}

async function named(clients: Clients, ctx: Context, { sub, scope, strong }: Wish) {
  const { newest } = renewingNow() ?? {}
  const permissions = (await permissionsFor(clients, { sub, scope, strong, newest })) ?? []
  asked.set(ctx, permissions)
  return permissions.map(({ rsname }) => rsname)
}

async function allOf({ core }: Clients, { sub, token, strong }: Wish) {
  const memberships = await core.memberships({ query: { sub } })
  // The sign-in pages ask for what is missing; a token of a session without it names less.
  const open = memberships.filter(
    ({ secondFactorRequired }) => !secondFactorRequired || !token || strong,
  )
  return open.map(({ resourceId }) => resourceId)
}
