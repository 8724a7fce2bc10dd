import type { Addition } from '../project-copy.ts'

const texts = {
  en: ['Maintenance plans', 'Maintenance plan'],
  de: ['Wartungspläne', 'Wartungsplan'],
  es: ['Planes de mantenimiento', 'Plan de mantenimiento'],
  fr: ['Plans de maintenance', 'Plan de maintenance'],
  it: ['Piani di manutenzione', 'Piano di manutenzione'],
}
const taken = {
  en: 'A plan with this name exists already.',
  de: 'Ein Plan mit diesem Namen existiert bereits.',
  es: 'Ya existe un plan con este nombre.',
  fr: 'Un plan avec ce nom existe déjà.',
  it: 'Esiste già un piano con questo nome.',
}
/** Files of words of the section in each language, by their folder below `locales`. */
const words = (folder: string, of: Record<string, (language: keyof typeof texts) => string>) =>
  (Object.keys(texts) as (keyof typeof texts)[]).map((language) => {
    const entries = Object.entries(of).map(([key, text]) => [key, text(language)])
    const text = JSON.stringify(Object.fromEntries(entries), undefined, 2)
    return [`apps/portal/src/sections/plans/locales/${folder}/${language}.json`, `${text}\n`]
  })

/** Resource with a permission of its own: maintenance plans, a part of mappings. */
export const resource: Addition = {
  files: {
    'services/mappings/src/plans/contract.ts': `import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'

const place = z.object({ organization: z.string().max(500) })
const Plan = z.object({ id: z.string(), name: z.string() })

export const plansContract = definePartContract({
  errors: { plan_exists: 409 },
  endpoints: {
    plans: {
      method: 'GET',
      path: '/plans',
      access: 'plans:read',
      query: place,
      result: z.object({ data: z.array(Plan) }),
    },
    createPlan: {
      method: 'POST',
      path: '/plans',
      access: 'plans:create',
      query: place,
      body: z.object({ name: z.string().min(1).max(100) }),
      result: Plan,
    },
  },
})
`,
    'services/mappings/src/plans/plans-tables.ts': `import type { coreContract } from '@longreach/core/contract'
import type { Deps } from '@longreach/kit/service'

/** Tables of the part. */
export type PlansDb = { plan: { id: string; organization: string; name: string } }

export type PlansDeps = Deps<PlansDb, { core: typeof coreContract }>
`,
    'services/mappings/src/plans/plan-store.ts': `import type { Kysely, Selectable } from 'kysely'
import type { PlansDb } from './plans-tables.ts'

type PlanRow = Selectable<PlansDb['plan']>

/** Plans of an organization by name. */
export const listPlans = (db: Kysely<PlansDb>, organization: string) =>
  db
    .selectFrom('plan')
    .select(['id', 'name'])
    .where('organization', '=', organization)
    .orderBy('name')
    .execute()

/** Inserts a plan; undefined when the organization has one of that name. */
export const insertPlan = (db: Kysely<PlansDb>, plan: PlanRow) =>
  db
    .insertInto('plan')
    .values(plan)
    .onConflict((conflict) => conflict.columns(['organization', 'name']).doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst()
`,
    'services/mappings/src/plans/plan-handlers.ts': `import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { mappingsContract } from '../contract.ts'
import { newId } from '../ids.ts'
import type { plansContract } from './contract.ts'
import { insertPlan, listPlans } from './plan-store.ts'
import type { PlansDeps } from './plans-tables.ts'

/** Calls about maintenance plans of one organization. */
export const planHandlers = ({ db }: PlansDeps): Handlers<typeof plansContract> => ({
  plans: async (_, { organization }) => ({ data: await listPlans(db, organization.resourceId) }),

  createPlan: async ({ body: { name } }, { organization }) => {
    const made = await insertPlan(db, { id: newId(), organization: organization.resourceId, name })
    if (made) return made
    const message = \`\${name} exists already; give the plan another name.\`
    throw failure(mappingsContract, 'plan_exists', { message })
  },
})
`,
    'services/mappings/src/plans/part.ts': `import { definePart } from '@longreach/kit/part'
import { plansContract } from './contract.ts'
import { planHandlers } from './plan-handlers.ts'
import type { PlansDeps } from './plans-tables.ts'

export const plans = definePart<PlansDeps>()({
  name: 'plans',
  contract: plansContract,
  handlers: planHandlers,
})
`,
    'services/mappings/src/migrations/900-plans.sql': `create table plan (
  id text primary key,
  organization text not null,
  name text not null,
  unique (organization, name)
);
`,
    'services/mappings/src/plans/plans.test.ts': `import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const query = { organization: 'nordwerk.service' }
const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], mappingsContract)

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

test('an administrator makes a plan and lists it; a second one of its name is a conflict', async () => {
  const made = await as('administrator').createPlan({ query, body: { name: 'Oil change' } })
  expect((await as('administrator').plans({ query })).data).toEqual([made])
  const again = as('administrator').createPlan({ query, body: { name: 'Oil change' } })
  await expect(again).rejects.toMatchObject({ status: 409 })
})

test('without the permission nothing is shown or made, and another organization sees nothing', async () => {
  const refused = { status: 403, code: 'auth.missing_permission' }
  await expect(as('viewer').plans({ query })).rejects.toMatchObject(refused)
  const making = as('viewer').createPlan({ query, body: { name: 'Filter' } })
  await expect(making).rejects.toMatchObject(refused)
  await expect(as('foreigner').plans({ query })).rejects.toMatchObject({ status: 404 })
  const other = { organization: 'nordwerk.press' }
  expect((await as('neighbour').plans({ query: other })).data).toEqual([])
})

test('the permission can be given by a role', async () => {
  const params = { org: 'nordwerk.service' }
  const rules = [{ resource: 'plans' as const, actions: ['read' as const] }]
  const body = { name: 'planner', label: 'Planner', rules }
  const role = await server.as(seeded.people.owner, coreContract).createRole({ params, body })
  expect(role.rules).toMatchObject([{ resource: 'plans', actions: ['read'] }])
})
`,
    'apps/portal/src/sections/plans/section.ts': `import { IconTool } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'plans',
  path: '/plans',
  icon: IconTool,
  name: {
    en: '${texts.en[0]}',
    de: '${texts.de[0]}',
    es: '${texts.es[0]}',
    fr: '${texts.fr[0]}',
    it: '${texts.it[0]}',
  },
  group: 'administer',
  order: 55,
  permissions: [['plans:read']],
  pages: [{ path: '/plans', load: () => import('./PlansPage.tsx') }],
}
`,
    'apps/portal/src/sections/plans/message-ids.ts': `import type { IdsOf } from '@longreach/ui/use-words'
import type access from './locales/access/en.json'
import type errors from './locales/errors/en.json'
import type log from './locales/log/en.json'

declare module '@longreach/ui/use-words' {
  interface MessageIds
    extends
      IdsOf<'access', typeof access>,
      IdsOf<'errors', typeof errors>,
      IdsOf<'log', typeof log> {}
}
`,
    'apps/portal/src/sections/plans/PlansPage.tsx': `import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import { useErrorText } from '../../parts/words/error-text.ts'

/** Maintenance plans of the organization. */
export function Component() {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const plans = useQuery(query(api.mappings.plans, { query: { organization } }))
  return (
    <Page>
      <PageHeader title={t('shell.section.plans')} />
      {plans.isPending && <RowsSkeleton />}
      {plans.error && <ErrorPanel {...errorText(plans.error)} />}
      <ul>
        {plans.data?.data.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </Page>
  )
}
`,
    ...Object.fromEntries([
      ...words('access', { 'resource.plans': (language) => texts[language][0] ?? '' }),
      ...words('log', { 'resource.plans': (language) => texts[language][1] ?? '' }),
      ...words('errors', { 'mappings.plan_exists': (language) => taken[language] }),
    ]),
  },
  edits: [
    {
      file: 'packages/authorization/src/permissions.ts',
      after: "  'vpn',\n",
      lines: "  'plans',\n",
    },
    {
      file: 'packages/authorization/src/permissions.ts',
      after: "  devicegroups: { group: 'machines', actions: change },\n",
      lines: "  plans: { group: 'machines', actions: change },\n",
    },
    {
      file: 'services/mappings/src/contract.ts',
      after: "import { overviewContract } from './overview/contract.ts'\n",
      lines: "import { plansContract } from './plans/contract.ts'\n",
    },
    {
      file: 'services/mappings/src/contract.ts',
      after: '    overviewContract,\n',
      lines: '    plansContract,\n',
    },
    {
      file: 'services/mappings/src/service.ts',
      after: "import { overview } from './overview/part.ts'\n",
      lines: "import { plans } from './plans/part.ts'\n",
    },
    { file: 'services/mappings/src/service.ts', after: '    overview,\n', lines: '    plans,\n' },
  ],
}
