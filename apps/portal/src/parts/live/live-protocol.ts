/**
 * Request of a subscription. `device` is `*` for the status or the alarms of every device, with `below` also of
 * organizations below, and for the person's own inbox; `path` may be `**`.
 */
export type Wish =
  | { kind: 'values'; device: string; path: string; maxHz?: number }
  | { kind: 'status'; device: string }
  | { kind: 'console'; device: string }
  | { kind: 'alarms'; device: string; below: boolean }
  | { kind: 'inbox'; device: '*' }

/** Key of a subscription, the same for every rate. */
export const wishKey = (wish: Wish) =>
  wish.kind === 'values' ? `values ${wish.device} ${wish.path}` : `${wish.kind} ${wish.device}`

/**
 * Milliseconds to wait before attempt number `attempt` (from 1): at random between 1 s and twice
 * as long each time, at most 30 s, so that many tabs do not come back in the same moment.
 */
export const reconnectDelayMs = (attempt: number, random: number) =>
  1000 + random * (Math.min(30_000, 1000 * 2 ** attempt) - 1000)
