import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { core } from '@longreach/core'
import { identityForTests, ownerOf, root } from '@longreach/core/testing'
import { client } from '@longreach/kit/client'
import type { Contract } from '@longreach/kit/contract'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { fetchOf } from '@longreach/kit/fetch-of'
import { createSecrets } from '@longreach/kit/secrets'
import { serve } from '@longreach/kit/serve'
import type { Caller } from '@longreach/kit/service'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { platform } from '@longreach/platform'
import { cachedAuthorizer } from '@longreach/server/authorizer'
import { createServerTokens, tokenVerifier } from '@longreach/server/tokens'
import Fastify, { type FastifyInstance } from 'fastify'
import { grow, makePresets } from './devices/grow.ts'
import { middle, rateOf, type Rate } from './http/rate.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- lists [--devices=2000] [--seconds=3] [--rounds=5] [--connections=50]
// The list of devices by its real call: token, rights, schemas, a page of 20 rows and the count of all
// that match. The peer is bare Fastify with `pg`, which sends the rows of the same statement, written by
// hand, with neither token nor rights nor schemas. Both use the same PostgreSQL and take turns.
const devices = argument('devices', 2_000)
const connections = argument('connections', 50)
const load = { seconds: argument('seconds', 3), connections }
const rounds = argument('rounds', 5)

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const postgres = await startPostgres({ dataDir })
const database = openDatabase(postgres.connection, () => undefined) // ends with the server below
const secrets = createSecrets(Buffer.alloc(32, 1))
const site = { origin: 'http://bench.test', dataDir, mqttPort: 0 }
const tokens = createServerTokens(secrets)
let forget = () => undefined as void
const { app } = await serve([identityForTests, core, mappings, platform], {
  ...database,
  secrets,
  site,
  authenticate: (fetch) => tokenVerifier({ secrets, site, fetch }),
  // As the server does: rights are kept until an event of core.
  admit: (fetch) => {
    const authorizer = cachedAuthorizer(fetch)
    forget = authorizer.forget
    return authorizer.admit
  },
  onEvent: (topic) => {
    if (topic.startsWith('core.')) forget()
  },
  serviceToken: tokens.ofService,
})
const as = <C extends Contract>(token: string, contract: C) =>
  client(contract, fetchOf(app, undefined, { authorization: `Bearer ${token}` }))

/** Hand-written query of the page: ids in order, their rows, and the total count. */
const byHand = `with matches as materialized (
    select count(*)::int as total from mappings.device where deleted_at is null and organization = $1),
  page as (
    select id, label collate mappings.natural_order as key from mappings.device
    where deleted_at is null and organization = $1
    order by label collate mappings.natural_order, id limit 21)
  select matches.total, device.*, preset.name as preset_name, preset.model_id, preset.model_name,
    preset.model_version, page.key
  from matches left join (page join mappings.device on device.id = page.id
    left join mappings.preset on preset.id = device.preset_id) on true
  order by page.key, page.id`

const bare = Fastify()
bare.get<{ Querystring: { organization: string } }>('/devices', async ({ query }) => {
  const { rows } = await database.pool.query<{ total: number }>(byHand, [query.organization])
  return { data: rows.slice(0, 20), totalElements: rows[0]?.total ?? 0 }
})

const listening = (server: FastifyInstance) => server.listen({ port: 0, host: '127.0.0.1' })

/** The labels of the page and the count, from either. */
async function answerOf(url: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  const { data, totalElements } = JSON.parse(text) as {
    data: { label: string }[]
    totalElements: number
  }
  return { bytes: text.length, found: [...data.map(({ label }) => label), totalElements] }
}

try {
  const service = await tokens.ofService('bench')
  const bench = {
    as: <C extends Contract>(caller: Caller | undefined, contract: C) =>
      as(caller?.sub ?? '', contract),
    asService: <C extends Contract>(contract: C) => as(service, contract),
  }
  await root(bench, 'acme')
  const owner = await ownerOf(bench, 'acme')
  const token = await tokens.ofPerson(owner)
  const ids = await makePresets(as(token, mappingsContract), 'acme')
  await grow(database.pool, { devices, presetIds: ids, organizations: ['acme'] })
  const path = `devices?organization=acme&page=0&pageSize=20`
  const ours = { url: `${await listening(app)}/svc/mappings/api/v1/${path}`, token }
  const peer = { url: `${await listening(bare)}/${path}` }
  const [one, other] = [await answerOf(ours.url, token), await answerOf(peer.url)]
  if (JSON.stringify(one.found) !== JSON.stringify(other.found)) {
    throw new Error(`The answers differ: ${one.found.join(', ')} and ${other.found.join(', ')}`)
  }
  say(`${devices} devices; ours sends ${one.bytes} bytes, the peer ${other.bytes}`)
  await rateOf(ours, load)
  await rateOf(peer, load)
  const taken: { ours: Rate; peer: Rate }[] = []
  for (let round = 0; round < rounds; round += 1) {
    taken.push({ ours: await rateOf(ours, load), peer: await rateOf(peer, load) })
  }
  const line = (what: string, unit: string, of: (rate: Rate) => number) => ({
    what,
    unit,
    ours: middle(taken.map((round) => of(round.ours))),
    peers: { 'the same SQL, bare': middle(taken.map((round) => of(round.peer))) },
  })
  print(`A page of 20 devices, ${connections} connections, medians of ${rounds} turns`, [
    {
      ...line('calls', 'calls/s', (rate) => rate.perSecond),
      better: 'more',
      goal: '2,000 or 0.5×',
    },
    { ...line('median', 'ms', (rate) => rate.medianMs), better: 'less' },
    { ...line('99th percentile', 'ms', (rate) => rate.p99Ms), better: 'less' },
    { ...line('processor time of the server', 'µs/call', (rate) => rate.cpuUs), better: 'less' },
  ])
} finally {
  await app.close()
  await bare.close()
  await database.close()
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
