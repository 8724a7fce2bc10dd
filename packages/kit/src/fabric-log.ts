import { z } from 'zod'
import type { FastifyBaseLogger } from 'fastify'

export type FabricLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>

const quietMs = 10_000

/** Limit of log entries that repeat: one in ten seconds, with the number of cases since the last. */
export function seldom() {
  let last = -Infinity
  let count = 0
  return (entry: (count: number) => void) => {
    count += 1
    if (performance.now() - last < quietMs) return
    last = performance.now()
    entry(count)
    count = 0
  }
}

/** Reason of a refused message for the log, without the values in it. */
export function whyRefused(error: unknown): string {
  if (!(error instanceof z.ZodError)) return error instanceof Error ? error.message : 'no error'
  return error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`).join('; ')
}
