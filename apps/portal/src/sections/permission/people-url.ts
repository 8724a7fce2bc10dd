import type { Search } from '../../parts/pages/section.ts'
import { one } from '../../parts/pages/use-search.ts'

const orders = ['username', 'email', 'name', 'createdAt'] as const
type Order = (typeof orders)[number]
const kinds = ['STANDARD', 'SERVICE'] as const
export const statuses = ['ENABLED', 'INVITED', 'LOCKED', 'DISABLED'] as const
/** The state of an account, in words. */
export const stateWords = {
  ACTIVE: 'permission.enabled',
  INVITED: 'permission.invited',
  LOCKED: 'permission.locked',
  DISABLED: 'permission.disabled',
} as const

export const tabs = ['groups', 'profile', 'devices', 'security', 'access'] as const
export type Tab = (typeof tabs)[number]

/** State of the list of people as it stands in the address. */
export type ListState = {
  text: string
  kind: (typeof kinds)[number] | undefined
  status: (typeof statuses)[number] | undefined
  group: string | undefined
  role: string | undefined
  sort: { id: Order; desc: boolean }
  /** The person whose panel is open. */
  open: string | undefined
  /** Undefined: the first that the reader may see. */
  tab: Tab | undefined
}

/** Reads the list's state from the address; what does not read is as if it were not there. */
export function listState(search: Search): ListState {
  const sort = one(search['sort']) ?? ''
  const id = orders.find((order) => order === sort.replace(/^-/, ''))
  return {
    text: one(search['q']) ?? '',
    kind: kinds.find((kind) => kind === one(search['kind'])),
    status: statuses.find((status) => status === one(search['status'])),
    group: number(search['group']),
    role: number(search['role']),
    sort: id ? { id, desc: sort.startsWith('-') } : { id: 'username', desc: false },
    open: number(search['person']),
    tab: tabs.find((tab) => tab === one(search['tab'])),
  }
}

const number = (value: string | string[] | undefined) => {
  const text = one(value) ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? text : undefined
}

/** `name` or `-name`; nothing for the order that the list starts with. */
export const sortText = ({ id, desc }: { id: string; desc: boolean }) =>
  id === 'username' && !desc ? undefined : `${desc ? '-' : ''}${id}`

/** The server's question for the list, without its page. */
export const questionOf = ({ text, kind, status, group, role, sort }: ListState) => ({
  orderBy: sort.id,
  orderDir: sort.desc ? ('desc' as const) : ('asc' as const),
  ...(text.trim() !== '' && { search: text.trim() }),
  ...(kind && { type: kind }),
  ...(status && { status }),
  ...(group && { groupId: group }),
  ...(role && { roleId: role }),
})

export const isFiltered = ({ text, kind, status, group, role }: ListState) =>
  text !== '' || [kind, status, group, role].some((filter) => filter !== undefined)
