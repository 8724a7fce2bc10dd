import { coreContract } from '@longreach/core/contract'
import { client } from '@longreach/kit/client'
import { AppError } from '@longreach/kit/errors'
import { createRecentValues } from '@longreach/kit/recent-values'
import type { Admission, Authorizer } from '@longreach/kit/service'

const livesMs = 5_000
const remembered = 20_000

/**
 * Authorizer that asks core for a caller's rights in an organization and caches the answer until
 * `forget`, which runs at every event of core. Entries expire after five seconds, in case an event
 * is lost.
 */
export function cachedAuthorizer(fetch: typeof globalThis.fetch, now: () => number = Date.now) {
  const core = client(coreContract, fetch)
  const kept = createRecentValues<string, { at: number; answer: Promise<Admission | undefined> }>(
    remembered,
  )

  const admit: Authorizer = ({ kind, sub, realm, apiKey }, organization) => {
    if (kind !== 'user') return Promise.resolve(undefined)
    const key = `${realm} ${sub} ${apiKey?.id ?? ''} ${organization ?? ''}`
    const held = kept.get(key)
    if (held && now() - held.at < livesMs) return held.answer
    const answer = ask({
      sub,
      realm,
      ...(organization !== undefined && { organization }),
      ...(apiKey && { apiKey: apiKey.id }),
    })
    kept.set(key, { at: now(), answer })
    answer.catch(() => kept.delete(key)) // the caller gets the error; the next call tries again
    return answer
  }

  const ask = async (query: {
    sub: string
    realm: string
    organization?: string
    apiKey?: number
  }) => {
    try {
      return (await core.admission({ query })) as Admission
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return undefined
      throw error
    }
  }

  return { admit, forget: () => kept.clear() }
}
