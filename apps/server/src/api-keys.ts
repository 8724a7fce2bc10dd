import { hash } from 'node:crypto'
import { coreContract } from '@longreach/core/contract'
import { client } from '@longreach/kit/client'
import { AppError } from '@longreach/kit/errors'
import { isAmong } from '@longreach/kit/network-of'
import { createRecentValues } from '@longreach/kit/recent-values'
import type { Caller } from '@longreach/kit/service'
import type { Fabric } from '@longreach/kit/fabric'
import { sharedCallRate } from './call-rate.ts'

const livesMs = 5_000
const remembered = 5_000
/** Rate limit of one key. */
const rate = { perMinute: 1_200, atOnce: 300 }

type Known = { caller: Caller; addresses: readonly string[]; id: number; until: number }

/**
 * Verifier of API keys: returns the person or service account of a key. Answers of core are cached
 * until an event of core, for five seconds at most; the key itself is not stored.
 */
export function apiKeyVerifier(
  fetch: typeof globalThis.fetch,
  fabric: Pick<Fabric, 'tell' | 'hear'>,
  now: () => number = Date.now,
) {
  const core = client(coreContract, fetch)
  const kept = createRecentValues<string, { at: number; answer: Promise<Known | undefined> }>(
    remembered,
  )
  const calls = sharedCallRate(rate, fabric, now)

  const verify = async (key: string, ip: string | undefined): Promise<Caller | undefined> => {
    // The address is part of the cache key, because core records from where a key was used.
    const name = hash('sha256', `${key} ${ip ?? ''}`, 'base64url')
    const held = kept.get(name)
    const fresh = held && now() - held.at < livesMs ? held.answer : ask(name, key, ip)
    const known = await fresh
    if (!known || known.until <= now()) return undefined
    mustBeAllowed(known, ip)
    const retryAfterS = calls.waitS(known.id)
    if (retryAfterS === 0) return known.caller
    const message = `This API key asks too often; try again in ${retryAfterS} s`
    throw new AppError(429, 'auth.too_many_calls', { message, retryAfterS })
  }

  const ask = (name: string, key: string, ip: string | undefined) => {
    const answer = resolve(key, ip)
    kept.set(name, { at: now(), answer })
    answer.catch(() => kept.delete(name)) // the caller gets the error; the next call tries again
    return answer
  }

  const resolve = async (key: string, ip: string | undefined): Promise<Known | undefined> => {
    try {
      const body = { key, ...(ip !== undefined && { ip }) }
      const { id, organization, addresses, expiresAt, ...owner } = await core.resolveApiKey({
        body,
      })
      const caller = { kind: 'user' as const, ...owner, org: organization }
      const until = expiresAt.getTime()
      return { caller: { ...caller, apiKey: { id, organization } }, addresses, id, until }
    } catch (error) {
      if (error instanceof AppError && (error.status === 404 || error.status === 400)) {
        return undefined
      }
      throw error
    }
  }

  return { verify, forget: () => kept.clear() }
}

function mustBeAllowed({ addresses }: Known, ip: string | undefined) {
  if (addresses.length === 0 || (ip !== undefined && isAmong(addresses, ip))) return
  const message = `This API key may not be used from ${ip ?? 'here'}`
  throw new AppError(403, 'auth.address_not_allowed', { message, ip })
}
