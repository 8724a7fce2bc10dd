import { publish } from '@longreach/kit/events'
import type { CallerCtx, Handlers } from '@longreach/kit/service'
import type { NotificationsDeps } from '../deps.ts'
import { onlyUuids } from '../uuids.ts'
import { inboxContract, PreferenceSettings } from './contract.ts'
import { countUnread, listInbox, markRead } from './inbox-store.ts'
import { preferencesOf, savePreferences } from './preference-store.ts'

/** Messages and preferences are one's own: only rows of the caller are read or changed. */
export function inboxHandlers({ db }: NotificationsDeps): Handlers<typeof inboxContract> {
  return {
    inbox: async ({ query: { unread = false, next, pageSize } }, { caller }) => {
      const after = parsePlace(next)
      const rows = await listInbox(db, caller.sub, { unread, after, limit: pageSize + 1 })
      const page = rows.slice(0, pageSize)
      const last = page.at(-1)
      return {
        data: page.map((row) => ({
          id: row.id,
          orgResourceId: row.org,
          severity: row.severity,
          subject: row.subject,
          body: row.body,
          alarmIds: row.alarms,
          deviceId: row.device_id,
          createdAt: row.created_at.getTime(),
          isRead: row.read_at !== null,
        })),
        next: last && rows.length > pageSize ? `${last.created_at.getTime()}.${last.id}` : null,
        unread: await countUnread(db, caller.sub),
      }
    },

    readInbox: async ({ body: { ids } }, { caller, now }) =>
      db.transaction().execute(async (tx) => {
        await markRead(tx, caller.sub, ids, now)
        const unread = await countUnread(tx, caller.sub)
        await publish(tx, inboxContract.events.inboxChanged, {
          sub: caller.sub,
          unread,
          severity: -1,
        })
        return { unread }
      }),

    preferences: async (_, ctx) => ownPreferences({ db }, ctx),

    setPreferences: async ({ body }, ctx) => {
      await savePreferences(db, ctx.caller.sub, body, ctx.now)
      return body
    },
  }
}

async function ownPreferences({ db }: Pick<NotificationsDeps, 'db'>, { caller }: CallerCtx) {
  const known = await preferencesOf(db, [caller.sub])
  return known.get(caller.sub) ?? PreferenceSettings.parse({})
}

/** Position of a page; a text that is none begins at the newest message. */
function parsePlace(next: string | undefined) {
  const [, at, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(next ?? '') ?? []
  if (at === undefined || id === undefined || onlyUuids([id]).length === 0) return undefined
  return { at: new Date(Number(at)), id }
}
