import { createRecentValues } from '@longreach/kit/recent-values'
import type { organizationsContract } from '../organizations-contract.ts'
import type { Client } from '@longreach/kit/client'

type TicketPermission = {
  rsid: string
  rsname: string
  scopes: string[]
  roles?: string[]
}

type Core = Client<typeof organizationsContract>
type Asked = { sub: string; organizations: readonly string[]; strong: boolean }
type Kept = { newest: number; at: number; answer: readonly TicketPermission[] }

/** Milliseconds for which an answer is kept at most. */
const livesMs = 5_000
const remembered = 20_000

const createAnswers = () => createRecentValues<string, Kept>(remembered)
type Answers = ReturnType<typeof createAnswers>

/** Rights that core is asked for, with its answers of the last seconds. */
export function createRights(core: Core) {
  const answers = createAnswers()
  return {
    core,
    inOrganizations: (asked: Asked, newest?: number) => rightsIn({ core, answers }, asked, newest),
  }
}
export type Rights = ReturnType<typeof createRights>

/**
 * Permissions of a person in some organizations, in one call to core. An answer is used again only while
 * core’s newest event (`newest`, read in the current request) is unchanged, since every change of
 * permissions publishes an event in its transaction. Without `newest` core is asked.
 */
async function rightsIn(
  { core, answers }: { core: Core; answers: Answers },
  { sub, organizations, strong }: Asked,
  newest?: number,
) {
  const keyOf = (organization: string) => `${sub} ${strong} ${organization}`
  const known = (organization: string) => {
    const held = answers.get(keyOf(organization))
    return held && held.newest === newest && Date.now() - held.at < livesMs ? held : undefined
  }
  const found = new Map<string, readonly TicketPermission[]>()
  for (const one of organizations) {
    const held = known(one)
    if (held) found.set(one, held.answer)
  }
  const missing = organizations.filter((one) => !found.has(one))
  if (missing.length === 0) return found
  const at = Date.now()
  const body = { sub, organizations: [...missing], strong }
  const told = await core.ticketPermissions({ body })
  for (const organization of missing) {
    const answer = told.filter(({ rsname }) => rsname === organization)
    found.set(organization, answer)
    if (newest === undefined) continue
    answers.set(keyOf(organization), { newest, at, answer })
  }
  return found
}
