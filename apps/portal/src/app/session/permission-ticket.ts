import { type Permission } from '@longreach/authorization/permissions'
import { permissionsIn } from '../../parts/access/access-rules.ts'

/** Answer of the exchange; `expire` is the end of the ticket, in ms since 1970. */
type TicketSet = { access_token: string; expires_in: number; expire: number }

type Exchange = (form: URLSearchParams) => Promise<Response>
type Options = { force?: boolean }

const leastLeftMs = 30_000
/** Audience of the ticket. */
const audience = 'corvina-platform'
const grant = 'urn:ietf:params:oauth:grant-type:uma-ticket'

class TicketRefused extends Error {
  status: number
  constructor(status: number) {
    super(`The permission ticket was refused: ${status}`)
    this.status = status
  }
}

/**
 * Holds the permission ticket of one organization: exchanged for the access token, reused while 30 s
 * of it remain, dropped when another permission is asked for or the exchange fails.
 */
export function ticketHolder(exchange: Exchange, now: () => number = Date.now) {
  let held: { permission: string; set: TicketSet } | undefined

  const fresh = async (permission: string) => {
    const form = new URLSearchParams({ grant_type: grant, audience, permission })
    const answer = await exchange(form)
    if (!answer.ok) throw new TicketRefused(answer.status)
    const body = (await answer.json()) as Omit<TicketSet, 'expire'>
    const set = { ...body, expire: now() + body.expires_in * 1000 }
    held = { permission, set }
    return set
  }

  return {
    async get(permission: string, { force = false }: Options = {}): Promise<TicketSet> {
      if (held?.permission !== permission) held = undefined
      if (held && !force && held.set.expire - now() >= leastLeftMs) return held.set
      try {
        return await fresh(permission)
      } catch (cause) {
        held = undefined
        throw cause
      }
    },
  }
}
export type TicketHolder = ReturnType<typeof ticketHolder>

/** The permissions in a ticket for an organization; a malformed ticket holds none. */
export function permissionsOfTicket(token: string, resourceId: string): Permission[] {
  const [, payload = ''] = token.split('.')
  try {
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
    return permissionsIn(JSON.parse(new TextDecoder().decode(bytes)), resourceId)
  } catch {
    return [] // not a token: it gives nothing
  }
}

/**
 * Permissions of the person in an organization: those in the access token, or, if it has none, as that of
 * another issuer, those of a ticket. Empty if the ticket is denied.
 */
export async function grantedIn(
  claims: unknown,
  resourceId: string,
  tickets: TicketHolder,
): Promise<Permission[]> {
  const told = permissionsIn(claims, resourceId)
  return told.length > 0 ? told : grantedByTicket(resourceId, tickets)
}

/** Permissions of a ticket for an organization; empty if it is denied. */
export async function grantedByTicket(
  resourceId: string,
  tickets: TicketHolder,
  options?: Options,
): Promise<Permission[]> {
  try {
    const { access_token: ticket } = await tickets.get(resourceId, options)
    return permissionsOfTicket(ticket, resourceId)
  } catch (cause) {
    if (cause instanceof TicketRefused && cause.status === 403) return []
    throw cause
  }
}
