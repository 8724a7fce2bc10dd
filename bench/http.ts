import { serviceOf } from '@longreach/kit/testing'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { compileRole } from '@longreach/authorization/compile'
import { contentPage, defineContract, paging, toContentPage } from '@longreach/kit/contract'
import { openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { createSecrets } from '@longreach/kit/secrets'
import { serve } from '@longreach/kit/serve'
import type { Admission } from '@longreach/kit/service'
import { createServerTokens, tokenVerifier } from '@longreach/server/tokens'
import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import { middle, rateOf, type Rate } from './http/rate.ts'
import { argument, print, say } from './report.ts'

// npm run bench -- http [--seconds=2] [--rounds=5]
// A list call with token, permission and schemas, against a bare Fastify route with the same answer.
// Neither asks the database: what is measured is what the kit adds to a call.
// Ours: verifies the token (a remembered one, by its hash), admits to the organization (a constant
// here), parses path, query and answer. Bare: one static route, no token, no schema, no logger; it
// builds the same page and sends the same JSON.
const seconds = argument('seconds', 2)
const rounds = argument('rounds', 5)
const items = Array.from({ length: 20 }, (_, id) => ({
  id,
  name: `Pump ${id}`,
  online: id % 2 === 0,
}))

const contract = defineContract({
  service: 'bench',
  base: '/svc/bench/api/v1',
  errors: {},
  endpoints: {
    list: {
      method: 'GET',
      path: '/organizations/:org/items',
      access: 'devices:read',
      params: z.object({ org: z.string() }),
      query: z.object(paging(20)),
      result: contentPage(z.object({ id: z.int(), name: z.string(), online: z.boolean() })),
    },
  },
})
const service = serviceOf<Record<never, never>>()({
  contract,
  migrations: new URL('./http/migrations/', import.meta.url),
  handlers: () => ({ list: async ({ query }) => toContentPage(items, items.length, query) }),
})

const admission: Admission = {
  organization: {
    id: 1,
    resourceId: 'acme',
    name: 'acme',
    label: 'Acme',
    realm: 'acme',
    dataEnabled: true,
    vpnEnabled: true,
  },
  capability: compileRole({
    rules: [{ resource: 'devices', actions: ['read'], deviceGroup: null }],
  }),
  below: false,
}

const listening = (app: FastifyInstance) => app.listen({ port: 0, host: '127.0.0.1' })

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
const server = await startPostgres({ dataDir })
const database = openDatabase(server.connection, () => undefined) // ends with the server below
const secrets = createSecrets(Buffer.alloc(32, 1))
const site = { origin: 'http://bench.test', dataDir, mqttPort: 0 }
const tokens = createServerTokens(secrets)
const { app } = await serve([service], {
  ...database,
  secrets,
  site,
  authenticate: (fetch) => tokenVerifier({ secrets, site, fetch }),
  admit: () => async () => admission,
  serviceToken: tokens.ofService,
})
const bare = Fastify()
bare.get('/items', async () => toContentPage(items, items.length, { page: 0, pageSize: 20 }))
try {
  const token = await tokens.ofPerson({ sub: 'somebody', realm: 'acme', username: 'somebody' })
  const ours = `${await listening(app)}/svc/bench/api/v1/organizations/acme/items`
  const peer = `${await listening(bare)}/items`
  const load = { connections: 64, seconds }
  await rateOf({ url: ours, token }, load)
  say('warmed up')
  // Turn by turn, so that whatever else the machine does hits both.
  const rates: { ours: Rate; bare: Rate }[] = []
  for (let round = 0; round < rounds; round += 1) {
    rates.push({
      ours: await rateOf({ url: ours, token }, load),
      bare: await rateOf({ url: peer }, load),
    })
  }
  const middleOf = (of: (round: (typeof rates)[number]) => number) => middle(rates.map(of))
  print('HTTP, 64 connections, an authenticated list of 20', [
    {
      what: 'calls',
      unit: 'calls/s',
      ours: middleOf(({ ours }) => ours.perSecond),
      peers: { 'bare Fastify': middleOf(({ bare }) => bare.perSecond) },
      better: 'more',
      goal: '0.77×',
    },
    {
      what: 'processor time',
      unit: 'µs/call',
      ours: middleOf(({ ours }) => ours.cpuUs),
      peers: { 'bare Fastify': middleOf(({ bare }) => bare.cpuUs) },
      better: 'less',
    },
  ])
} finally {
  await app.close()
  await bare.close()
  await database.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
