import { one } from '../../lib/use-search.ts'
import type { Search } from '../../lib/section.ts'

export const connectionFilters = ['online', 'offline', 'error'] as const
export type ConnectionFilter = (typeof connectionFilters)[number]
/** Columns that the server can order by. */
export const orders = { label: 'name', created: 'creationDate', changed: 'updatedAt' } as const
type OrderColumn = keyof typeof orders

/** What the address says about the list. */
export type ListState = {
  text: string
  connection: ConnectionFilter | undefined
  preset: string | undefined
  /** With the devices of all organizations below. */
  below: boolean
  sort: { id: OrderColumn; desc: boolean }
  /** The device whose panel is open. */
  open: string | undefined
}

/** Reads the list's state from the address; what does not read is as if it were not there. */
export function listState(search: Search): ListState {
  const connection = one(search['state'])
  const sort = one(search['sort']) ?? ''
  const id = sort.replace(/^-/, '')
  return {
    text: one(search['q']) ?? '',
    connection: connectionFilters.find((filter) => filter === connection),
    preset: one(search['preset']),
    below: one(search['below']) !== 'false',
    sort: isOrder(id) ? { id, desc: sort.startsWith('-') } : { id: 'label', desc: false },
    open: one(search['device']),
  }
}

/** `label` or `-label`; nothing for the order that the list starts with. */
export const sortText = ({ id, desc }: { id: string; desc: boolean }) =>
  id === 'label' && !desc ? undefined : `${desc ? '-' : ''}${id}`

const isOrder = (text: string): text is OrderColumn => Object.hasOwn(orders, text)

/** The server's question for a list, without its page. `X.*` is an organization with all below. */
export const questionOf = (
  { text, connection, preset, below, sort }: Omit<ListState, 'open'>,
  org: string,
) => ({
  organization: below ? `${org}.*` : org,
  orderBy: orders[sort.id],
  orderDir: sort.desc ? ('desc' as const) : ('asc' as const),
  ...(text.trim() !== '' && { search: text.trim() }),
  ...(connection === 'error' && { existingFields: ['configurationError'] }),
  ...(connection && connection !== 'error' && { connected: connection === 'online' }),
  ...(preset && { presetId: preset }),
})
