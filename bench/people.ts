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
import { argument, print, say } from './report.ts'

// npm run bench -- people [--people=100000] [--times=200]
// The list of an organization's people as the portal asks for it while somebody types, each a whole
// call with admission, permissions and schemas; the figure is the 99th percentile. The peer asks the
// same database without an index for it: part of the name anywhere, ordered, with a full count.
const wanted = argument('people', 100_000)
const times = argument('times', 200)

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
  client(
    contract,
    fetchOf(app, undefined, caller ? { authorization: `Bearer ${tokenOf(caller)}` } : {}),
  )

/** People in two organizations of one realm, written as the service writes them but in a few statements. */
async function grow() {
  const run = (text: string) => database.pool.query(text)
  await run(`
    insert into core.app_user (sub, realm, username, email, first_name, last_name, service_account, created_at)
    select gen_random_uuid(), 'acme', first || '.' || last || n, first || '.' || last || n || '@acme.example',
      initcap(first), initcap(last), n % 500 = 0, now() - n * interval '1 minute'
    from (
      select n, (array['anna','ben','clara','david','eva','felix','greta','hugo','ida','jonas','kim','lena'])[1 + n % 12] as first,
        (array['berg','conti','duval','ebner','fontana','garcia','huber','ivanov','jansen','keller','lopez'])[1 + n % 11] as last
      from generate_series(1, ${wanted}) n) people`)
  await run(`insert into core.membership (user_id, organization_id)
    select u.id, o.id from core.app_user u, core.organization o where u.username <> 'owner'`)
  await run(`insert into core.user_group (organization_id, name, label, type)
    select o.id, 'Shift', 'Shift', 'STANDARD' from core.organization o`)
  await run(`insert into core.group_member (organization_id, group_id, user_id, role)
    select g.organization_id, g.id, m.user_id, 'USER' from core.user_group g
    join core.membership m on m.organization_id = g.organization_id and (g.name = '*' or m.user_id % 20 = 0)
    where g.name in ('*', 'Shift') on conflict do nothing`)
  await run('vacuum analyze')
  say(`${wanted} people`)
}

/** The 99th percentile of many calls, in ms, after a few that do not count. */
async function p99(count: number, work: (round: number) => Promise<unknown>) {
  const taken: number[] = []
  for (let round = -5; round < count; round += 1) {
    const start = performance.now()
    await work(Math.abs(round))
    if (round >= 0) taken.push(performance.now() - start)
  }
  return taken.toSorted((a, b) => a - b)[Math.ceil(count * 0.99) - 1] ?? 0
}

const scan = `
  select u.*, count(*) over () as total from core.app_user u
  join core.membership m on m.user_id = u.id and m.organization_id = $1
  where strpos(lower(concat_ws(' ', u.username, u.email, u.first_name, u.last_name)), $2) > 0
  order by lower(u.username), u.id limit 50`

try {
  const bench = { as, asService: <C extends Contract>(contract: C) => as(house, contract) }
  const { id } = await root(bench, 'acme')
  const owner = await ownerOf(bench, 'acme')
  await grow()
  const portal = as(owner, coreContract)
  const params = { org: 'acme' }
  const group = (await portal.userGroups({ params, query: { name: 'Shift' } })).content[0]
  const peer = (search: string) =>
    p99(20, async () => JSON.stringify((await database.pool.query(scan, [id, search])).rows).length)
  const line = { unit: 'ms', better: 'less', goal: '50 ms' } as const
  const list = (query: object) =>
    p99(times, () => portal.users({ params, query: { pageSize: 50, ...query } }))
  const searched = async (what: string, search: string) => ({
    what,
    ours: await list({ search }),
    peers: { 'a scan with a full count': await peer(search) },
    ...line,
  })
  print(`The first page of ${wanted} people, 99th percentile`, [
    { what: 'everybody', ours: await list({}), peers: {}, ...line },
    await searched('one letter', 'k'),
    await searched('two letters', 'hu'),
    await searched('a name of many', 'keller'),
    await searched('first and last name', 'ida keller'),
    await searched('one person', 'keller4321@'),
    await searched('what everybody has', 'acme'),
    await searched('what nobody has', 'zzyzx'),
    {
      what: 'by last name, backwards',
      ours: await list({ orderBy: 'name', orderDir: 'desc' }),
      peers: {},
      ...line,
    },
    {
      what: 'by mail, searched',
      ours: await list({ orderBy: 'email', search: 'lena' }),
      peers: {},
      ...line,
    },
    { what: 'programs only', ours: await list({ type: 'SERVICE' }), peers: {}, ...line },
    {
      what: 'of a group, searched',
      ours: await list({ groupId: group?.id, search: 'ida' }),
      peers: {},
      ...line,
    },
    {
      what: 'across organizations, searched',
      ours: await p99(times, () =>
        portal.deepUsers({ query: { organization: 'acme', search: 'keller', pageSize: 50 } }),
      ),
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
