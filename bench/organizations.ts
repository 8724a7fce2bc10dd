import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, ownerOf, root } from '@longreach/core/testing'
import { client } from '@longreach/kit/client'
import type { Contract } from '@longreach/kit/contract'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { fetchOf } from '@longreach/kit/fetch-of'
import { createSecrets } from '@longreach/kit/secrets'
import { serve } from '@longreach/kit/serve'
import type { Caller } from '@longreach/kit/service'
import { argument, medianMs, print, say } from './report.ts'

// npm run bench -- organizations [--organizations=10000] [--times=50]
// The tree of organizations as the portal opens it: the first level, a level further down, and a
// search of all of it, each a whole call with admission, permissions and schemas. The peer reads the
// tree from the same database in one recursive query on `parent` and writes it as JSON, with no
// question of who asks; it is what a page costs that does not load lazily.
const wanted = argument('organizations', 10_000)
const times = argument('times', 50)
const width = Math.ceil(Math.cbrt(wanted))

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir })
const database = openDatabase(postgres.connection, () => undefined) // ends with the server below
const tokenOf = (caller: Caller) => Buffer.from(JSON.stringify(caller)).toString('base64url')
const house: Caller = { kind: 'service', sub: 'bench', username: 'bench', realm: '' }
const { app } = await serve([identityForTests, core], {
  ...database,
  secrets: createSecrets(Buffer.alloc(32, 1)),
  site: { origin: 'http://bench.test', dataDir, mqttPort: 0 },
  authenticate: () => async (token) =>
    JSON.parse(Buffer.from(token, 'base64url').toString()) as Caller,
  admit: coreAuthorizer,
  serviceToken: () => tokenOf(house),
})
const as = <C extends Contract>(caller: Caller | undefined, contract: C) =>
  client(contract, fetchOf(app, undefined, { authorization: `Bearer ${tokenOf(caller ?? house)}` }))

/** Three levels of the same width, made as the service makes them but in three statements. */
async function grow() {
  const make = (level: number) => `
    with made as (
      insert into core.organization (resource_id, name, label, parent, realm, created_at, updated_at)
      select p.resource_id || '.o' || n, 'o' || n, 'Works ' || n || ' of ' || p.label, p.id, p.realm,
        now(), now()
      from core.organization p, generate_series(1, ${width}) n
      where array_length(string_to_array(p.resource_id, '.'), 1) = ${level}
      limit ${wanted} - (select count(*) from core.organization)
      returning id, parent)
    insert into core.organization_tree (descendant, ancestor, distance)
    select id, id, 0 from made
    union all
    select made.id, t.ancestor, t.distance + 1 from made
    join core.organization_tree t on t.descendant = made.parent`
  for (const level of [1, 2, 3]) await database.pool.query(make(level))
  await database.pool.query('analyze')
  const { rows } = await database.pool.query<{ count: number }>(
    'select count(*)::int as count from core.organization',
  )
  say(`${rows[0]?.count} organizations, ${width} in each`)
}

const whole = `
  with recursive tree as (
    select id, parent, label, resource_id, array[label] as path from core.organization
      where parent is null
    union all
    select o.id, o.parent, o.label, o.resource_id, tree.path || o.label
      from core.organization o join tree on tree.id = o.parent where o.status = 'ACTIVE')
  select tree.*, (select count(*) from core.organization c where c.parent = tree.id) as children
  from tree order by path`
const wholeTree = async () => JSON.stringify((await database.pool.query(whole)).rows).length
const wholeSearch = async () => {
  const found = `select * from (${whole}) t where strpos(lower(label), $1) > 0 limit 100`
  return JSON.stringify((await database.pool.query(found, ['works 7 of works 3'])).rows).length
}

try {
  const bench = { as, asService: <C extends Contract>(contract: C) => as(house, contract) }
  await root(bench, 'acme')
  const owner = await ownerOf(bench, 'acme')
  await grow()
  const portal = as(owner, coreContract)
  const params = { org: 'acme' }
  const [first] = (await portal.tree({ params, query: {} })).content
  const at = first?.resourceId ?? 'acme'
  const line = { unit: 'ms', better: 'less', goal: '300 ms' } as const
  const tree = (query: object) => medianMs(times, () => portal.tree({ params, query }))
  const peer = await medianMs(5, wholeTree)
  const all = { 'all of it in one query': peer }
  print(`The tree of ${wanted} organizations`, [
    { what: 'opening it', ours: await tree({}), peers: all, ...line },
    { what: 'a level further down', ours: await tree({ at }), peers: all, ...line },
    {
      what: 'a search with the path to each hit',
      ours: await tree({ search: 'works 7 of works 3' }),
      peers: { 'all of it in one query': await medianMs(5, wholeSearch) },
      ...line,
    },
    { what: 'a search that hits all', ours: await tree({ search: 'works' }), peers: all, ...line },
    {
      what: 'what depends on the root',
      ours: await medianMs(5, () => portal.dependencies({ params })),
      peers: {},
      ...line,
    },
  ])
} finally {
  await app.close()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
