import type { Kysely } from 'kysely'
import type { CoreDb } from '../database.ts'

/** Check for the number of a row: ids of devices have 22 characters, numbers at most ten digits. */
const isNumber = (reference: unknown): reference is string =>
  typeof reference === 'string' && /^[1-9]\d{0,9}$/.test(reference)
const largest = 2_147_483_647

/** Ids that devices bear, for each of these references the same or the one of the row with that number. */
export async function deviceIdsOf(db: Kysely<CoreDb>, references: readonly string[]) {
  const numbers = [...new Set(references.filter(isNumber).map(Number))].filter((n) => n <= largest)
  const rows =
    numbers.length === 0
      ? []
      : await db
          .selectFrom('device')
          .select(['id', 'number'])
          .where('number', 'in', numbers)
          .execute()
  const known = new Map(rows.map(({ id, number }) => [String(number), id]))
  return references.map((reference) => known.get(reference) ?? reference)
}

type Input = { [part in 'params' | 'query' | 'body']?: unknown }
type AnyHandlers = { [name: string]: (input: Input, ...more: never[]) => Promise<unknown> }

/** Fields of calls that name devices. */
const fields = ['device', 'devices', 'deviceId', 'deviceIds', 'add', 'remove']
/** These call something else by such a name, or answer by the references they were asked with. */
const apart = ['areAuthorized']

/** The same handlers, which also accept the number of a device's row in place of its id. */
export function withDeviceNumbers<H extends object>(db: Kysely<CoreDb>, handlers: H): H {
  const taking = Object.entries(handlers as AnyHandlers).map(([name, handle]) => [
    name,
    apart.includes(name)
      ? handle
      : async (input: Input, ...more: never[]) => handle(await withIds(db, input), ...more),
  ])
  return Object.fromEntries(taking) as H // of the same names and calls
}

async function withIds(db: Kysely<CoreDb>, input: Input): Promise<Input> {
  let changed = input
  for (const part of ['params', 'query', 'body'] as const) {
    const held = input[part]
    if (typeof held !== 'object' || held === null) continue
    for (const field of fields) {
      const value = (held as Record<string, unknown>)[field]
      const list = Array.isArray(value) ? (value as unknown[]) : [value]
      if (!list.some(isNumber) || !list.every((one) => typeof one === 'string')) continue
      const ids = await deviceIdsOf(db, list)
      const mine = { ...(changed[part] as object), [field]: Array.isArray(value) ? ids : ids[0] }
      changed = { ...changed, [part]: mine }
    }
  }
  return changed
}
