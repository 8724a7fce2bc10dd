import type { Secrets } from '@longreach/kit/secrets'
import { z } from 'zod'

/** Long enough for a browser to begin the download; the download itself may take its time. */
const validMs = 5 * 60_000
const label = 'platform.export-ticket'

const Ticket = z.object({
  id: z.string(),
  organization: z.string(),
  asked_by: z.string(),
  until: z.number(),
})
type Ticket = z.output<typeof Ticket>

/** A word that opens one file for a few minutes: a browser's download carries no token. */
export const sealTicket = (secrets: Secrets, ticket: Omit<Ticket, 'until'>, now: Date) =>
  secrets
    .seal(label, JSON.stringify({ ...ticket, until: now.getTime() + validMs }))
    .toString('base64url')

/** What a ticket opens; undefined for one that is too old or was not given out here. */
export function openTicket(secrets: Secrets, text: string, now: Date): Ticket | undefined {
  try {
    const plain = secrets.open(label, Buffer.from(text, 'base64url')).toString()
    const ticket = Ticket.parse(JSON.parse(plain))
    return ticket.until > now.getTime() ? ticket : undefined
  } catch {
    return undefined // not sealed by this house
  }
}
