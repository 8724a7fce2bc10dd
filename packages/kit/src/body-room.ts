import type { Endpoint } from './contract.ts'
import { AppError } from './errors.ts'

const megabyte = 1024 * 1024

/** Limits in bytes for request bodies that are in memory at the same time. */
export const bodyLimits = {
  /** Largest body of a call that declares no `largestBody`. */
  usual: 2 * megabyte,
  /** Largest body of a caller who is not signed in: enough for forms. */
  ofStrangers: 256 * 1024,
  betweenServices: 16 * megabyte,
  perPerson: 32 * megabyte,
  /** Bodies of all requests from one network without sign-in. */
  perStranger: 4 * megabyte,
}

/**
 * Largest body of a call in bytes. Calls between services may send much more, since only services
 * are admitted there.
 */
export const largestBodyOf = ({ largestBody, access }: Endpoint) =>
  largestBody ??
  (access === 'service'
    ? bodyLimits.betweenServices
    : access === 'public'
      ? bodyLimits.ofStrangers
      : bodyLimits.usual)

/** Counter of body bytes that are being read and answered, by sender. */
export function createBodyRoom() {
  const held = new Map<string, number>()
  return {
    /** Reserves bytes and returns the function that releases them. */
    take(key: string, bytes: number, most: number): () => void {
      const before = held.get(key) ?? 0
      if (before + bytes > most) throw noRoom(most)
      held.set(key, before + bytes)
      let given = false
      return () => {
        if (given) return
        given = true
        const left = (held.get(key) ?? 0) - bytes
        if (left > 0) held.set(key, left)
        else held.delete(key)
      }
    },
    get size() {
      return held.size
    },
  }
}
export type BodyRoom = ReturnType<typeof createBodyRoom>

function noRoom(most: number) {
  const message = `More than ${most / megabyte} MB of your calls are under way. Send one after another.`
  return new AppError(429, 'request.too_many_bytes', { message, retryAfterS: 1 })
}
