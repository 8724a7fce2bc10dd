import { type Kysely, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { NotificationsDb } from '../database.ts'
import type { MessageFacts, MessageKind } from '../message-contract.ts'
import { attemptsMs, mostAnHour } from '../message-limits.ts'
import type { Addressee } from '../recipients/audience.ts'

type Db = Kysely<NotificationsDb>

type NewMessage = {
  id: string
  notificationId: string | null
  org: string
  kind: MessageKind
  about: string
  aboutOrg: string
  aboutGroups: number[]
  total: number
  severity: number
  facts: MessageFacts
}

export const insertMessage = (tx: Db, message: NewMessage, now: Date) =>
  tx
    .insertInto('message')
    .values({
      id: message.id,
      notification_id: message.notificationId,
      org: message.org,
      kind: message.kind,
      about: message.about,
      about_org: message.aboutOrg,
      about_groups: message.aboutGroups,
      total: message.total,
      severity: message.severity,
      facts: JSON.stringify(message.facts),
      created_at: now,
    })
    .execute()

const hourMs = 3_600_000

/** Recipient, with the id of the delivery and the server that it goes to, where these are known. */
type Placed = Addressee & { id?: string; host?: string }

/**
 * Insert the deliveries of a message. Above the limit of an hour a delivery is dropped and counted; what was
 * counted is told when the hour is over.
 */
export async function insertDeliveries(
  tx: Db,
  { id, org }: Pick<NewMessage, 'id' | 'org'>,
  {
    addressees,
    now,
    unlimited = false,
  }: { addressees: readonly Placed[]; now: Date; unlimited?: boolean },
) {
  const limited = unlimited ? [] : addressees.filter(isLimited)
  const over = new Set(await aboveLimit(tx, limited, now))
  const rows = addressees.map((one) => {
    const gate = over.has(one) ? 'rate' : one.gate
    return {
      id: one.id ?? randomUUID(),
      message_id: id,
      org,
      recipient: one.recipient,
      recipient_name: one.name,
      realm: one.realm,
      channel: one.channel,
      channel_id: one.channelId,
      address: one.address,
      language: one.language,
      outside: one.outside,
      state: gate === '' ? ('WAITING' as const) : ('DROPPED' as const),
      gate,
      host: one.host ?? one.channelId ?? one.channel,
      next_at: now,
      until: new Date(now.getTime() + attemptsMs),
      created_at: now,
      updated_at: now,
    }
  })
  for (let from = 0; from < rows.length; from += mostInserted) {
    await tx
      .insertInto('delivery')
      .values(rows.slice(from, from + mostInserted))
      .onConflict((conflict) =>
        conflict.columns(['message_id', 'recipient', 'channel']).doNothing(),
      )
      .execute()
  }
  for (const one of over) await hold(tx, org, one, now)
}

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const mostInserted = 1_000

/** The inbox is a list, in which many lines disturb nobody. */
const isLimited = ({ gate, channel }: Addressee) => gate === '' && channel !== 'inbox'

/** Recipients that had as many messages in the hour before as they get in one. */
async function aboveLimit(tx: Db, addressees: readonly Placed[], now: Date): Promise<Placed[]> {
  if (addressees.length === 0) return []
  const { rows } = await sql<{ n: number; count: number }>`
    select asked.n::int as n, (
      select count(*)::int from (
        select from notifications.delivery d
        where d.recipient = asked.recipient and d.channel = asked.channel
          and d.created_at > ${new Date(now.getTime() - hourMs)} and d.state <> 'DROPPED'
        limit ${mostAnHour}) recent) as count
    from unnest(${addressees.map(({ recipient }) => recipient)}::text[],
      ${addressees.map(({ channel }) => channel)}::text[])
      with ordinality as asked(recipient, channel, n)`.execute(tx)
  return rows.flatMap(({ n, count }) => {
    const one = addressees[n - 1]
    return one && count >= mostAnHour ? [one] : []
  })
}

/** Count a message that was held back. */
const hold = (tx: Db, org: string, addressee: Addressee, now: Date) =>
  tx
    .insertInto('held')
    .values({
      recipient: addressee.recipient,
      channel: addressee.channel,
      org,
      count: 1,
      due_at: new Date(now.getTime() + hourMs),
      delivery: JSON.stringify(addressee),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['recipient', 'channel'])
        .doUpdateSet({ count: sql<number>`held.count + 1` }),
    )
    .execute()
