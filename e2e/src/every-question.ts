import type { Ask } from './asking.ts'
import type { ForeignIds } from './canary-tree.ts'

type Parameter = { name: string; in: 'path' | 'query'; required: boolean }
type Schema = { properties?: Record<string, unknown>; anyOf?: Schema[]; allOf?: Schema[] }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  'x-reads'?: true
}
type Document = { paths: Record<string, Record<string, Operation>> }
export type Question = {
  name: string
  method: string
  path: string
  asked: Parameter[]
  /** Names of the fields that its body takes. */
  fields: ReadonlySet<string>
}

/** Each call of the running server that only reads, from the documents that it gives out. */
export async function everyQuestion(ask: Ask, addresses: readonly string[]): Promise<Question[]> {
  const documents = await Promise.all(
    addresses.map(async (address) => {
      const answer = await ask('GET', `${address}/openapi.json`)
      return answer.json<Document>()
    }),
  )
  return documents.flatMap(({ paths }) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        const reads = method === 'get' || operation['x-reads'] === true
        const { operationId: name, parameters: asked = [] } = operation
        if (!reads) return []
        const schema = operation.requestBody?.content['application/json'].schema
        const fields = new Set(fieldsOf(schema))
        return [
          { name, method: method.toUpperCase(), path: path.replace('/svc/', ''), asked, fields },
        ]
      }),
    ),
  )
}

/** Values that some calls require before they answer at all. */
const plain: Record<string, string> = {
  resource: 'devices',
  action: 'read',
  hostname: 'localhost',
  property: 'note',
  service: 'portal',
  right: 'read',
  modelPath: '**',
  token: 'x',
  organizationImportToken: 'x',
  alias: 'x',
  search: 'canary',
}
const small = { page: '0', pageSize: '500' }

/** Kind of id that `{id}` stands for, by the segment before it. */
const kinds = {
  models: 'model',
  presets: 'preset',
  devices: 'device',
  entries: 'entry',
  rules: 'alarmRule',
  shelves: 'shelf',
  alarms: 'alarm',
  notifications: 'notification',
  triggers: 'trigger',
  escalations: 'escalation',
  schedules: 'schedule',
  dashboards: 'dashboard',
}
const namedId = new RegExp(String.raw`/(${Object.keys(kinds).join('|')})/\{id\}`)
function meantBy(path: string, ids: ForeignIds) {
  const kind = namedId.exec(path)?.[1] as keyof typeof kinds
  return ids[kinds[kind]] ?? 0
}

type Asking = { org: string; ids: ForeignIds; filtered: boolean }

/** The path and query of a question about an organization, with ids wherever it takes them. */
export function addressOf({ path, asked }: Question, { org, ids, filtered }: Asking) {
  const named: ForeignIds = { ...plain, ...small, ...ids, org, id: meantBy(path, ids) }
  if (path.includes('/deviceGroups/')) named['group'] = ids['deviceGroup'] ?? 0
  const valueOf = (name: string) => String(named[name] ?? 'x')
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)))
  const query = new URLSearchParams()
  for (const { name, in: where, required } of asked) {
    const wanted = required || name in small || (filtered && name in ids)
    if (name === 'organization') query.set(name, org)
    else if (where === 'query' && wanted) query.set(name, valueOf(name))
  }
  return `${filled}?${query}`
}

const fieldsOf = ({ properties = {}, anyOf = [], allOf = [] }: Schema = {}): string[] => [
  ...Object.keys(properties),
  ...[...anyOf, ...allOf].flatMap(fieldsOf),
]

/** The body of a question: of all that is known here, the fields that it takes. */
export function bodyOf(
  { path, fields }: Question,
  ids: ForeignIds,
  organizations: readonly string[],
) {
  const all = {
    label: 'x',
    name: 'x',
    rules: [],
    columns: [
      { field: 'label', label: 'Name' },
      { field: 'tags', label: 'Tags' },
    ],
    question: {},
    since: 'now-1d',
    groupsToAdd: [ids['group']],
    rolesToAdd: [ids['role']],
    membersToAdd: [ids['user']],
    userId: ids['user'],
    deviceIds: [ids['device']],
    sources: [{ deviceId: ids['device'], modelPath: '**' }],
    pageSize: 500,
    // Another question has filters of another kind.
    ...(path.endsWith('/search') && { filters: { deviceIds: [ids['device']], organizations } }),
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => fields.has(name)))
}
