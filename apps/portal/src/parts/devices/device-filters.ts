import { all, one } from '../pages/use-search.ts'
import type { Search } from '../pages/section.ts'

export const connectionFilters = [
  'online',
  'offline',
  'never',
  'error',
  'pending',
  'withoutPreset',
] as const
type ConnectionFilter = (typeof connectionFilters)[number]
/** Columns that the server can order by. */
const orders = {
  label: 'name',
  status: 'connected',
  seen: 'lastConnUpdateAt',
  serial: 'serialNumber',
  preset: 'presetName',
  model: 'modelName',
  organization: 'orgResourceId',
  created: 'creationDate',
  changed: 'updatedAt',
} as const
type OrderColumn = keyof typeof orders
export const views = ['table', 'cards'] as const
type View = (typeof views)[number]

/** State of the list of devices, as in the address. */
export type ListState = {
  text: string
  connection: ConnectionFilter | undefined
  preset: string | undefined
  tags: readonly string[]
  model: string | undefined
  /** Id of a device group. */
  group: number | undefined
  /** resourceId of one organization below. */
  organization: string | undefined
  /** A saved segment. */
  segment: string | undefined
  /** With the devices of all organizations below. */
  below: boolean
  sort: { id: OrderColumn; desc: boolean }
  /** The device whose panel is open. */
  open: string | undefined
  view: View
}

/** Keys of the address that narrow the list, as they are when nothing does. */
export const noFilters = {
  q: undefined,
  state: undefined,
  preset: undefined,
  tag: undefined,
  model: undefined,
  group: undefined,
  organization: undefined,
  segment: undefined,
}

/** Reads the list's state from the address; what does not read is as if it were not there. */
export function listState(search: Search): ListState {
  const connection = one(search['state'])
  const sort = one(search['sort']) ?? ''
  const id = sort.replace(/^-/, '')
  const group = Number(one(search['group']))
  return {
    text: one(search['q']) ?? '',
    connection: connectionFilters.find((filter) => filter === connection),
    preset: one(search['preset']),
    tags: all(search['tag']),
    model: one(search['model']),
    group: Number.isInteger(group) && group > 0 ? group : undefined,
    // Not `org`: that names the organization to enter.
    organization: one(search['organization']),
    segment: one(search['segment']),
    below: one(search['below']) !== 'false',
    sort: isOrder(id) ? { id, desc: sort.startsWith('-') } : { id: 'label', desc: false },
    open: one(search['device']),
    view: views.find((view) => view === one(search['view'])) ?? 'table',
  }
}

/** Does something narrow the list? */
export const isFiltered = ({ text, tags, ...state }: ListState) =>
  text.trim() !== '' ||
  tags.length > 0 ||
  [
    state.connection,
    state.preset,
    state.model,
    state.group,
    state.organization,
    state.segment,
  ].some((filter) => filter !== undefined)

/** `label` or `-label`; nothing for the order that the list starts with. */
export const sortText = ({ id, desc }: { id: string; desc: boolean }) =>
  id === 'label' && !desc ? undefined : `${desc ? '-' : ''}${id}`

const isOrder = (text: string): text is OrderColumn => Object.hasOwn(orders, text)

type Filters = Omit<ListState, 'open' | 'view' | 'sort' | 'below'>

/** Filters for the server without map area, order and page; a segment saves these. */
export function filtersOf(state: Filters) {
  const { text, connection, preset, segment } = state
  const data = expressionOf(state)
  return {
    ...(text.trim() !== '' && { search: text.trim() }),
    ...(data !== '' && { data }),
    ...(connection === 'offline' && { connected: false }),
    ...(connection && connection !== 'offline' && { state: connection }),
    ...(preset && { presetId: preset }),
    ...(segment && { segment }),
  }
}

function expressionOf({ tags, model, group, organization }: Filters) {
  const parts = [
    ...tags.map((tag) => `tags == ${quoted(tag)}`),
    ...(model === undefined ? [] : [`modelName == ${quoted(model)}`]),
    ...(group === undefined ? [] : [`groups == ${group}`]),
    ...(organization === undefined ? [] : [`orgResourceId == ${quoted(organization)}`]),
  ]
  return parts.join(' and ')
}

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** The server's question for a list, without its page. `X.*` is an organization with all below. */
export const questionOf = (
  { below, sort, ...filters }: Omit<ListState, 'open' | 'view'>,
  org: string,
) => ({
  organization: below ? `${org}.*` : org,
  orderBy: orders[sort.id],
  orderDir: sort.desc ? ('desc' as const) : ('asc' as const),
  ...filtersOf(filters),
})
