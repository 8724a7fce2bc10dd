import { can } from '@longreach/authorization/can'
import { recordChange } from '@longreach/kit/audit-trail'
import { AppError } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { retentionContract } from './contract.ts'
import type { AuditDb } from '../database.ts'
import { oldestEntry } from '../entries/entry-store.ts'
import { retentionDays, retentionOf, selfAndAbove } from './retention-rules.ts'
import { chooseRetention, retentionChoices } from './retention-store.ts'
import type { Seals } from '../chain/seals.ts'

export function retentionHandlers(
  db: Kysely<AuditDb>,
  seals: Seals,
): Handlers<typeof retentionContract> {
  const chosen = async (at: Kysely<AuditDb>, organization: string) =>
    retentionOf(organization, await retentionChoices(at, seals, selfAndAbove(organization)))
  const toRetention = async ({ organization: { resourceId: organization } }: OrgCtx) => {
    const oldest = await oldestEntry(db, { organization, subtree: false, unplaced: false })
    const { least, most } = retentionDays
    return { ...(await chosen(db, organization)), least, most, oldest: oldest?.at ?? null }
  }
  return {
    retention: async (_, ctx) => toRetention(ctx),

    setRetention: async ({ body: { days } }, ctx) => {
      // A person who shortens the trail must be allowed to read it.
      if (!can(ctx.capability, 'audit', 'access')) {
        throw new AppError(403, 'auth.missing_permission', { permission: 'audit:access' })
      }
      const { resourceId, label } = ctx.organization
      await db.transaction().execute(async (tx) => {
        const before = await chosen(tx, resourceId)
        await chooseRetention(tx, seals, { organization: resourceId, days, now: ctx.now })
        const after = await chosen(tx, resourceId)
        const kept = { before: { days: before.days }, after: { days: after.days } }
        await recordChange(tx, ctx, {
          resource: 'audit',
          action: 'retention',
          id: resourceId,
          label,
          ...kept,
        })
      })
      return toRetention(ctx)
    },
  }
}
