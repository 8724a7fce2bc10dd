import { deep, type HostileRow, type Kind, many, row } from './hostile-row.ts'

const service = 'mappings/api/v1/dashboards'
const org = 'organization=main'
const root = { id: 'root', kind: 'group', type: 'group', parent: 'page', order: 'V' }
const page = { id: 'page', kind: 'page', type: 'page', parent: null, order: 'V' }
const board = (nodes: object = {}, more: object = {}) => ({
  format: 'longreach-board',
  schema: 1,
  kind: 'dashboard',
  pages: ['page'],
  nodes: { page, root, ...nodes },
  ...more,
})
const good = { name: 'Hostile', json: JSON.stringify(board()) }
const create: Kind = { method: 'POST', path: `${service}?${org}`, good, answered: 201 }
const refused = [400, 413, 422]
const posted = (name: string, json: () => string) =>
  row(create, `dashboards: ${name}`, () => ({ name: 'Hostile', json: json() }), refused)
const leaf = (more: object) => ({
  leaf: { id: 'leaf', kind: 'widget', type: 'value', parent: 'root', order: 'V', ...more },
})

/** Requests to the service of dashboards. */
export const rows: readonly HostileRow[] = [
  posted('a document of 50 MB', () => JSON.stringify(board(leaf({ name: 'x'.repeat(5e7) })))),
  posted('a document of 6 MB', () =>
    JSON.stringify(board(leaf({ props: { a: 'x'.repeat(5.8e6) } }))),
  ),
  posted('a document that is nested 10,000 deep', () =>
    JSON.stringify(board(leaf({ props: {} }))).replace(
      '"props":{}',
      `"props":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    ),
  ),
  posted('a chain of 4,900 groups', () => {
    const chain = Array.from({ length: 4_900 }, (_, n) => {
      const parent = n === 0 ? 'root' : `group${n - 1}`
      return [`group${n}`, { ...root, id: `group${n}`, parent }]
    })
    return JSON.stringify(board(Object.fromEntries(chain)))
  }),
  posted('a circle of groups', () =>
    JSON.stringify(
      board({
        one1: { ...root, id: 'one1', parent: 'two2' },
        two2: { ...root, id: 'two2', parent: 'one1' },
      }),
    ),
  ),
  posted('a node called __proto__', () =>
    JSON.stringify(board()).replace('"nodes":{', '"nodes":{"__proto__":{},'),
  ),
  posted('a formula of 10 kB', () =>
    JSON.stringify(
      board(leaf({ bind: { value: { formula: { text: '1+'.repeat(5_000), in: {} } } } })),
    ),
  ),
  posted('a compressed text that grows without end', () => 'N4Ig'.repeat(1_000_000)),
  posted('a newer schema', () => JSON.stringify(board({}, { schema: 99 }))),
  row(
    create,
    'dashboards: a card style that is nested 20,000 deep',
    () => ({ ...good, cardStyle: { a: deep(20_000) } }),
    refused,
  ),
  row(
    create,
    'dashboards: a manifest of 200,000 values',
    () => ({ ...good, manifest: { a: many(200_000, () => 1) } }),
    refused,
  ),
]
