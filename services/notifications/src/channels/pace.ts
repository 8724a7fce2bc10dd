import { type Kysely, sql } from 'kysely'
import { createHash } from 'node:crypto'
import type { ChannelRow, NotificationsDb } from '../database.ts'
import type { ChannelSecrets } from './contract.ts'

type Db = Kysely<NotificationsDb>

/** Milliseconds between two messages to one chat of Telegram, or one hook of Slack. */
const paceMs = 1_000

/** Chat or hook whose pace is limited, as a hash of its address; undefined for other channels. */
export function paceTarget({ type, config }: ChannelRow, kept: ChannelSecrets) {
  const address =
    type === 'telegram'
      ? `telegram ${kept.token} ${config.chatId}`
      : type === 'slack'
        ? `slack ${kept.url}`
        : undefined
  return address && createHash('sha256').update(address).digest('base64url')
}

/** Take the turn of a chat or hook: undefined when it is free now, else the time at which it is. */
export async function takeTurn(db: Db, target: string, now: Date): Promise<Date | undefined> {
  const free = new Date(now.getTime() + paceMs)
  const taken = await db
    .insertInto('pace')
    .values({ target, free_at: free })
    .onConflict((conflict) =>
      conflict.column('target').doUpdateSet({ free_at: free }).where('pace.free_at', '<=', now),
    )
    .returning('target')
    .executeTakeFirst()
  if (taken) return undefined
  const row = await db
    .selectFrom('pace')
    .select('free_at')
    .where('target', '=', target)
    .executeTakeFirst()
  return row?.free_at ?? free
}

/** Let a chat or hook rest until a time that it asked for. */
export const restUntil = (db: Db, target: string, until: Date) =>
  db
    .updateTable('pace')
    .set({ free_at: sql<Date>`greatest(free_at, ${until})` })
    .where('target', '=', target)
    .execute()

/** Forget chats and hooks that are free for long. */
export const cleanupPace = (db: Db, before: Date) =>
  db.deleteFrom('pace').where('free_at', '<', before).execute()
