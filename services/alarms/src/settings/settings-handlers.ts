import { recordChange } from '@longreach/kit/audit-trail'
import { holdLock } from '@longreach/kit/locks'
import type { Handlers } from '@longreach/kit/service'
import type { AlarmsDeps } from '../deps.ts'
import type { settingsContract } from './contract.ts'
import { effectiveOf, settingsAbove, type SettingsRow, writeSettings } from './settings-store.ts'

/** Handlers of an organization's settings of alarms. */
export const settingsHandlers = ({
  db,
}: Pick<AlarmsDeps, 'db'>): Handlers<typeof settingsContract> => ({
  alarmSettings: async (_, { organization: { resourceId } }) =>
    toSettings(resourceId, await settingsAbove(db, resourceId)),

  saveAlarmSettings: async ({ body }, ctx) =>
    db.transaction().execute(async (tx) => {
      const org = ctx.organization.resourceId
      await holdLock(tx, 'alarms.settings', org)
      const before = (await settingsAbove(tx, org)).find((row) => row.org === org)
      const noteClasses = body.noteClasses && [...new Set(body.noteClasses)]
      await writeSettings(tx, {
        org,
        keep_days: body.keepDays,
        note_classes: noteClasses,
        changed_at: ctx.now,
        changed_by: ctx.caller.username,
      })
      await recordChange(tx, ctx, {
        resource: 'alarms',
        action: 'update',
        id: org,
        label: org,
        ...(before && { before: ownOf(before) }),
        after: { keepDays: body.keepDays, noteClasses },
      })
      return toSettings(org, await settingsAbove(tx, org))
    }),
})

const ownOf = ({ keep_days, note_classes }: SettingsRow) => ({
  keepDays: keep_days,
  noteClasses: note_classes,
})

function toSettings(org: string, rows: readonly SettingsRow[]) {
  const own = rows.find((row) => row.org === org)
  return {
    keepDays: own?.keep_days ?? null,
    noteClasses: own?.note_classes ?? null,
    effective: effectiveOf(rows),
    changedAt: own?.changed_at.getTime() ?? null,
    changedBy: own?.changed_by ?? null,
  }
}
