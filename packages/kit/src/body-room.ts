import type { Endpoint } from './contract.ts'
import { AppError } from './errors.ts'

const megabyte = 1024 * 1024

/** Bytes of request bodies that may be under way at once. */
export const bodyLimits = {
  /** A body where its call does not say otherwise. */
  usual: 2 * megabyte,
  /** Of who is not signed in: forms, no files. */
  ofStrangers: 256 * 1024,
  betweenServices: 16 * megabyte,
  perPerson: 32 * megabyte,
  /** Of callers who have not signed in. */
  perStranger: 4 * megabyte,
}

/** Most bytes of a call's body: much between services, which are the only ones let in there. */
export const largestBodyOf = ({ largestBody, access }: Endpoint) =>
  largestBody ??
  (access === 'service'
    ? bodyLimits.betweenServices
    : access === 'public'
      ? bodyLimits.ofStrangers
      : bodyLimits.usual)

/** Room for bodies that are being read and answered, by the key of who sends them. */
export function createBodyRoom() {
  const held = new Map<string, number>()
  return {
    /** Reserve bytes; answers what gives them back. */
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
