import type { Addition } from '../project-copy.ts'

/** Service with one call, which the server loads. */
export const service: Addition = {
  files: {
    'services/tools/package.json': `{
  "name": "@longreach/tools",
  "version": "0.1.0",
  "private": true,
  "type": "module",
  "exports": {
    ".": "./src/service.ts",
    "./contract": "./src/contract.ts"
  },
  "dependencies": {
    "@longreach/kit": "*",
    "zod": "4.6.7"
  }
}
`,
    'services/tools/README.md': '# tools\n\nOwns the list of tools that an organization lends.\n',
    'services/tools/src/contract.ts': `import { joinContracts } from '@longreach/kit/contract'
import { lendingContract } from './lending/contract.ts'

export const toolsContract = joinContracts(
  { service: 'tools', base: '/svc/tools/api/v1', errors: {} },
  [lendingContract],
)
`,
    'services/tools/src/service.ts': `import { defineService } from '@longreach/kit/service'
import { toolsContract } from './contract.ts'
import { lending } from './lending/part.ts'

/** Tools service: the tools that an organization lends. */
export const tools = defineService({
  contract: toolsContract,
  needs: {},
  migrations: new URL('./migrations/', import.meta.url),
  parts: [lending],
})
`,
    'services/tools/src/migrations/001-tools.sql': `create table tool (
  organization text not null,
  name text not null,
  primary key (organization, name)
);
`,
    'services/tools/src/lending/contract.ts': `import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'

export const lendingContract = definePartContract({
  endpoints: {
    tools: {
      method: 'GET',
      path: '/tools',
      access: 'devices:read',
      query: z.object({ organization: z.string().max(500) }),
      result: z.object({ data: z.array(z.string()) }),
    },
  },
})
`,
    'services/tools/src/lending/part.ts': `import { definePart } from '@longreach/kit/part'
import type { Deps } from '@longreach/kit/service'
import { lendingContract } from './contract.ts'

type ToolsDb = { tool: { organization: string; name: string } }

export const lending = definePart<Deps<ToolsDb>>()({
  name: 'lending',
  contract: lendingContract,
  handlers: ({ db }) => ({
    tools: async (_, { organization }) => {
      const rows = db.selectFrom('tool').select('name').orderBy('name')
      const own = await rows.where('organization', '=', organization.resourceId).execute()
      return { data: own.map(({ name }) => name) }
    },
  }),
})
`,
    'apps/server/src/tools-service.test.ts': `import { coreAuthorizer, seed } from '@longreach/core/testing'
import { testServer } from '@longreach/kit/testing'
import { expect, test } from 'vitest'
import { chosenServices, elsewhere, serviceNames } from './services.ts'

test('the server loads the service, and it answers a call of a person who may see devices', async () => {
  expect(serviceNames).toContain('tools')
  const address = 'http://127.0.0.1:8099'
  expect(elsewhere({ TOOLS_URL: address })).toEqual({ tools: address })
  const services = await chosenServices(undefined)
  const server = await testServer(services, { admit: coreAuthorizer })
  const { people } = await seed(server)
  const ask = async (who: keyof typeof people, organization = 'nordwerk.service') => {
    const fetch = server.fetchAs(people[who])
    const answer = await fetch(\`/svc/tools/api/v1/tools?organization=\${organization}\`)
    return { status: answer.status, body: await answer.text() }
  }
  expect(await ask('viewer')).toEqual({ status: 200, body: '{"data":[]}' })
  expect(await ask('member')).toMatchObject({ status: 403 })
  expect(await ask('foreigner')).toMatchObject({ status: 404 })
  await server.close()
})
`,
    'e2e/src/hostile-tools.ts': `import { type HostileRow, many, row } from './hostile-row.ts'

export const rows: readonly HostileRow[] = [
  row(
    { method: 'GET', path: 'tools/api/v1/tools?organization=main', good: undefined, answered: 200 },
    'tools of an organization',
    () => many(10_000, String),
  ),
]
`,
  },
  edits: [
    {
      file: 'apps/server/src/services.ts',
      after: "  audit: async () => (await import('@longreach/audit')).audit,\n",
      lines: "  tools: async () => (await import('@longreach/tools')).tools,\n",
    },
    {
      file: 'apps/server/package.json',
      after: '    "@longreach/platform": "*",\n',
      lines: '    "@longreach/tools": "*",\n',
    },
  ],
  packages: ['services/tools'],
}
