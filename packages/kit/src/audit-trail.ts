import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { type Event, rootOf, timestamp } from './contract.ts'
import { publishAll } from './events.ts'
import { masked, storable } from './masked.ts'
import type { Caller, CallerCtx } from './service.ts'

/** Texts of the request may hold characters that PostgreSQL refuses; they are replaced. */
const text = z.string().transform(storable)

const Actor = z.object({
  kind: z.enum(['nobody', 'user', 'service', 'device', 'apiKey']),
  sub: z.string(),
  username: z.string(),
  realm: z.string(),
  /** The id of the API key that was used. */
  apiKey: z.int().optional(),
  /** The administrator who acted as this person. */
  impersonator: z.object({ sub: z.string(), username: z.string() }).optional(),
})

/** Audit entry: who did, or tried to do, what to which resource. */
export const AuditRecord = z.object({
  at: timestamp,
  /**
   * Called endpoint, for example `core.createRole`, or an action without one, for example
   * `identity.signIn`.
   */
  call: z.string(),
  resource: z.string(),
  action: z.string(),
  id: text,
  label: text,
  /** resourceId of the organization whose audit trail has the entry; empty for the realm's own. */
  organization: z.string(),
  outcome: z.enum(['done', 'refused']),
  /** HTTP status and error code of a refusal. */
  status: z.int().optional(),
  code: z.string().optional(),
  /** Number of equal refusals within a few seconds that this entry stands for. */
  count: z.int().default(1),
  actor: Actor,
  ip: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})
export type AuditRecord = z.output<typeof AuditRecord>

export const auditRecorded = {
  topic: 'audit.recorded',
  /** As the audit service files it: an entry without an organization belongs to the root of its realm. */
  lane: ({ organization, actor }: AuditRecord) => rootOf(organization || actor.realm),
  payload: AuditRecord,
} as const satisfies Event

/** Change for the audit trail, described by the handler that made it. */
type Change = {
  resource: string
  action: string
  id: string | number
  label?: string
  /** resourceId; defaults to the organization of the call. */
  organization?: string
  before?: unknown
  after?: unknown
}

/**
 * Writes an audit entry in the transaction of the change. Values under names such as `password` or
 * `secret` are masked. The kit writes no second entry for the call.
 */
export const recordChange = (tx: QueryExecutorProvider, ctx: CallerCtx, change: Change) =>
  recordChanges(tx, ctx, [change])

/** Writes an audit entry for each of many changes, by one statement. */
export async function recordChanges(
  tx: QueryExecutorProvider,
  ctx: CallerCtx,
  changes: readonly Change[],
) {
  if (ctx.call) ctx.call.recorded = true
  await publishAll(
    tx,
    auditRecorded,
    changes.map((change) => ({
      at: ctx.now,
      call: ctx.call?.name ?? `${change.resource}.${change.action}`,
      ...described(ctx, change),
      outcome: 'done' as const,
      actor: actorOf(ctx.caller),
      ip: ctx.ip,
    })),
  )
}

function described(ctx: CallerCtx, { resource, action, id, label, ...change }: Change) {
  const { before, after } = change
  return {
    resource,
    action,
    id: String(id),
    label: (label ?? '').slice(0, 500),
    organization: change.organization ?? organizationOfCall(ctx),
    ...(before !== undefined && { before: masked(before) }),
    ...(after !== undefined && { after: masked(after) }),
  }
}

/**
 * Organization of a call: the one that the caller was admitted to, otherwise the one of the
 * session.
 */
function organizationOfCall(ctx: CallerCtx) {
  const { organization } = ctx as Partial<{ organization: { resourceId: string } }>
  return organization?.resourceId ?? ctx.caller.org ?? ''
}

/** Fields of an audit entry that identify the caller. */
export const actorOf = ({ kind, sub, username, realm, apiKey, impersonator }: Caller) => ({
  kind: apiKey ? ('apiKey' as const) : kind,
  sub,
  username,
  realm,
  ...(apiKey && { apiKey: apiKey.id }),
  ...(impersonator && { impersonator }),
})
