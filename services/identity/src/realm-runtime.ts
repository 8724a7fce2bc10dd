import { createLocalJWKSet, importJWK, type JSONWebKeySet, SignJWT, type JWTPayload } from 'jose'
import type { Provider } from 'oidc-provider'
import type { IdentityDeps } from './identity-deps.ts'
import { type RealmKey, realmKeys } from './key-store.ts'
import { createProvider } from './provider.ts'

/** Keys are read again this often: a new one is published a day before it is needed. */
const rememberedMs = 60_000

/** A realm as it runs now: its issuer, keys and OpenID provider. */
export type Realm = {
  name: string
  label: string
  issuer: string
  origin: string
  provider: Provider
  handle: ReturnType<Provider['callback']>
  publicKeys: ReturnType<typeof createLocalJWKSet>
  sign: (claims: JWTPayload, type: string) => Promise<string>
}

type Kept = { at: number; realm: Realm }

/**
 * The realms of the installation, made when they are first asked for. The site's origin is read then,
 * not before: it is final only once the server listens.
 */
export function realmsOf(deps: IdentityDeps) {
  const kept = new Map<string, Kept>()
  return {
    async find(name: string): Promise<Realm | undefined> {
      const held = kept.get(name)
      const fresh = held && Date.now() - held.at < rememberedMs
      if (fresh && held.realm.origin === deps.site.origin) return held.realm
      const realm = await load(deps, name)
      if (realm) kept.set(name, { at: Date.now(), realm })
      else kept.delete(name)
      return realm
    },
    /** Keys of a realm changed: read them again at the next call. */
    forget: (name: string) => void kept.delete(name),
  }
}
export type Realms = ReturnType<typeof realmsOf>

async function load(deps: IdentityDeps, name: string): Promise<Realm | undefined> {
  const row = await deps.db
    .selectFrom('realm')
    .select('label')
    .where('name', '=', name)
    .executeTakeFirst()
  const keys = row && (await realmKeys(deps.db, deps.secrets, name, deps.now()))
  const [signing] = keys ?? []
  if (!row || !keys || !signing) return undefined
  const { origin } = deps.site
  const issuer = `${origin}/auth/realms/${name}`
  const provider = createProvider(deps, { realm: name, issuer, origin, keys })
  return {
    name,
    label: row.label || name,
    issuer,
    origin,
    provider,
    handle: provider.callback(),
    publicKeys: createLocalJWKSet(publicSet(keys)),
    sign: async (claims, type) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: signing.kid, typ: type })
        .setIssuer(issuer)
        .sign(await importJWK(signing.jwk, 'RS256')),
  }
}

const publicSet = (keys: readonly RealmKey[]): JSONWebKeySet => ({
  keys: keys.map(
    ({ jwk: { kty = 'RSA', kid = '', alg = 'RS256', use = 'sig', n = '', e = '' } }) => ({
      kty,
      kid,
      alg,
      use,
      n,
      e,
    }),
  ),
})
