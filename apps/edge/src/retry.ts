import { setTimeout } from 'node:timers/promises'

/**
 * Growing delays from `firstMs` to `mostMs`, half fixed and half random, so that many agents do not
 * retry at once.
 */
export function backoff(firstMs: number, mostMs: number, random = Math.random) {
  let current = firstMs
  return {
    next() {
      const wait = current / 2 + (random() * current) / 2
      current = Math.min(mostMs, current * 2)
      return Math.round(wait)
    },
    reset() {
      current = firstMs
    },
  }
}

/** Waits; returns early when `signal` is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error // an abort is the early return
  }
}

export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) {
    const { message } = (error ?? {}) as { message?: unknown } // some libraries throw plain objects
    return typeof message === 'string' ? message : String(error)
  }
  // A connection tried on several addresses fails with all of their reasons.
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ')
  }
  const { cause, message } = error
  const deeper = cause instanceof Error ? messageOf(cause) : ''
  return message.includes(deeper) ? message : `${message}: ${deeper}`
}
