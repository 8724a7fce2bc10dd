import { createLocalJWKSet, importJWK, type JSONWebKeySet, SignJWT } from 'jose'
import type { IdentityDeps, RealmDeps } from '../identity-deps.ts'
import { type RealmKey, realmKeys } from '../realms/key-store.ts'
import type { Realm, Realms } from '../realms/realm.ts'
import { createProvider, sessionCookie } from './provider.ts'

/** Milliseconds after which the keys are read again; a new key is published a day before it signs. */
const rememberedMs = 60_000

type Kept = { at: number; realm: Realm; from: string }

/**
 * Realms of the installation, created when they are first used. The origin of the site is read then,
 * since it is final only after the server listens.
 */
export function createRealms(deps: RealmDeps): Realms {
  const kept = new Map<string, Kept>()
  return {
    async find(name: string): Promise<Realm | undefined> {
      const held = kept.get(name)
      const fresh = held && Date.now() - held.at < rememberedMs
      if (fresh && held.realm.origin === deps.site.origin) return held.realm
      const facts = await factsOf(deps, name)
      if (!facts) {
        kept.delete(name)
        return undefined
      }
      const from = JSON.stringify([
        facts.issuer,
        facts.label,
        facts.origins,
        facts.keys.map(({ kid }) => kid),
      ])
      const realm = held?.from === from ? held.realm : createRealm(deps, facts)
      kept.set(name, { at: Date.now(), realm, from })
      return realm
    },
  }
}
type Facts = {
  name: string
  label: string
  origin: string
  origins: readonly string[]
  issuer: string
  keys: readonly RealmKey[]
  signing: RealmKey
}

async function factsOf(deps: IdentityDeps, name: string): Promise<Facts | undefined> {
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
  const origins = [origin, ...(await organizationOrigins(deps, name))]
  return { name, label: row.label || name, origin, origins, issuer, keys, signing }
}

/** Origins of organizations: one label before the host of the installation. */
async function organizationOrigins({ clients, site, log }: IdentityDeps, realm: string) {
  const { protocol, host } = new URL(site.origin)
  try {
    const labels = await clients.core.realmHosts({ query: { realm } })
    return labels.map((label) => `${protocol}//${label}.${host}`)
  } catch (error) {
    log.warn(
      error,
      'hosts of organizations are unknown: people can sign in at the host of the installation only',
    )
    return []
  }
}

function createRealm(deps: RealmDeps, facts: Facts): Realm {
  const { name, label, origin, origins, issuer, keys, signing } = facts
  const provider = createProvider(deps, { realm: name, issuer, origin, origins, keys })
  let signingKey: ReturnType<typeof importJWK> | undefined
  return {
    name,
    label,
    issuer,
    origin,
    origins,
    provider,
    sessionCookie: sessionCookie(issuer),
    handle: provider.callback(),
    publicKeys: createLocalJWKSet(publicSet(keys)),
    sign: async (claims, type) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: signing.kid, typ: type })
        .setIssuer(issuer)
        .sign(await (signingKey ??= importJWK(signing.jwk, 'RS256'))),
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
