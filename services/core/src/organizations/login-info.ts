import { createAttempts } from '@longreach/kit/attempts'
import { failure } from '@longreach/kit/errors'
import { networkOf } from '@longreach/kit/network-of'
import type { Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findByHost, findOnlyRealm, findRealm } from './host-lookup.ts'
import { hostOf } from './host-rules.ts'

/** Names that are not there, from one network within ten minutes: enough for typing errors, not for guessing. */
const guesses = { most: 30, windowMs: 10 * 60_000 }

type LoginInfo = Handlers<typeof coreContract>['loginInfo']

/**
 * Realm that a browser signs in to. Deleted organizations, those of other people and unknown ones
 * give the same response, and attempts are limited.
 */
export function loginInfo({
  db,
  site,
  fabric,
}: Pick<CoreDeps, 'db' | 'site' | 'fabric'>): LoginInfo {
  const attempts = createAttempts(guesses, { fabric, name: 'core.login_info' })
  return async ({ query: { hostname, realm: typed } }, { ip, now }) => {
    const { hostname: base, origin } = new URL(site.origin)
    const { host, label } = hostOf(hostname, base)
    const network = networkOf(ip)
    const plain = host === base && typed === undefined
    const retryAfterS = plain ? 0 : attempts.waitS(network, now)
    if (retryAfterS > 0) {
      const message = `Too many unknown names from here; try again in ${Math.ceil(retryAfterS / 60)} min`
      throw failure(coreContract, 'too_many_attempts', { retryAfterS, message })
    }
    const hosted = await findByHost(db, host, base)
    if (hosted) return { realmName: hosted.realm, organization: hosted.resource_id, origin }
    const named = typed === undefined ? undefined : await findRealm(db, typed)
    if (named !== undefined) return { realmName: named }
    if (typed !== undefined || label !== undefined) attempts.failed(network, now)
    // A host that could be an organization's but is not says nothing about the others here.
    const only = label === undefined ? await findOnlyRealm(db) : undefined
    if (only !== undefined) return { realmName: only }
    const message = `No organization is known for ${host}; name the realm`
    throw failure(coreContract, 'no_such_host', { hostname: host, message })
  }
}
