import type { IdentityDeps } from '../identity-deps.ts'

export type TicketPermission = { rsid: string; rsname: string; scopes: string[] }

type Core = IdentityDeps['clients']['core']
type Asked = { sub: string; organization: string; strong: boolean }
type Kept = { newest: number; at: number; answer: readonly TicketPermission[] }

/** The longest that an answer is kept, whatever happens. */
const livesMs = 5_000
const remembered = 20_000

const kept = new WeakMap<Core, Map<string, Kept>>()

/**
 * What core says that somebody may do in an organization. An answer is used again only while core's
 * newest event (`newest`, read with the call at hand) is the one from before it was given: every change
 * of rights is an event of the same transaction. Without `newest` core is asked.
 */
export async function rightsIn(core: Core, asked: Asked, newest?: number) {
  if (newest === undefined) return core.ticketPermissions({ query: asked })
  const answers = kept.get(core) ?? new Map<string, Kept>()
  kept.set(core, answers)
  const key = `${asked.sub} ${asked.strong} ${asked.organization}`
  const held = answers.get(key)
  if (held?.newest === newest && Date.now() - held.at < livesMs) return held.answer
  const at = Date.now()
  const answer = await core.ticketPermissions({ query: asked })
  answers.delete(key)
  if (answers.size >= remembered) answers.delete(answers.keys().next().value as string)
  answers.set(key, { newest, at, answer })
  return answer
}
