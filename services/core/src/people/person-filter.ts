import { localName } from '@longreach/kit/person-name-rules'
import { type RawBuilder, sql } from 'kysely'
import type { UserOrder } from './user-contract.ts'

/** Filters of every list of people; the person is `u` in the query. */
export type PersonQuestion = {
  search?: string | undefined
  username?: string | undefined
  type: 'ANY' | 'STANDARD' | 'SERVICE'
  status?: 'ENABLED' | 'DISABLED' | undefined
  /** Only these. */
  ids?: readonly number[] | undefined
  orderBy: UserOrder
  orderDir: string
  page: number
  pageSize: number
}

/** Matches beyond this many are not counted: the page is wanted now. */
export const mostCounted = 1_000

/** The conditions on `u`; none when everybody is meant. */
export function personConditions(
  { search = '', username, type, status, ids }: PersonQuestion,
  realm: string,
) {
  const conditions: RawBuilder<boolean>[] = []
  if (username !== undefined) conditions.push(sql`u.username = ${localName(username, realm)}`)
  if (type !== 'ANY') conditions.push(sql`u.service_account = ${type === 'SERVICE'}`)
  if (ids !== undefined) conditions.push(sql`u.id = any(${ids}::int[])`)
  if (status !== undefined) conditions.push(sql`u.enabled = ${status === 'ENABLED'}`)
  if (search.trim() !== '') conditions.push(namedLike(search.trim().toLowerCase()))
  return conditions
}

/**
 * Part of the user name, the e-mail address or the person's name. Fewer than three characters are
 * the beginning of a word: the index knows words by their beginning and texts by three in a row.
 */
function namedLike(search: string) {
  const text = search.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return sql<boolean>`u.search_text like ${search.length < 3 ? `% ${text}%` : `%${text}%`}`
}

const orders = {
  // One name each in a realm: a total order already, which the index answers.
  username: ['u.username'],
  email: ['u.email', 'u.id'],
  name: ['u.last_name', 'u.first_name', 'u.id'],
  createdAt: ['u.created_at', 'u.id'],
} as const satisfies Record<UserOrder, readonly `u.${string}`[]>

/** Columns of `u` to order by, and the direction of all of them. */
export const personOrder = ({ orderBy, orderDir }: PersonQuestion) => ({
  columns: orders[orderBy],
  direction: orderDir.toLowerCase() === 'desc' ? ('desc' as const) : ('asc' as const),
})
