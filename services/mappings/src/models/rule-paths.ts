import type { Handlers } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { visibleIn } from './model-visibility.ts'
import type { rulePathsEndpoints } from './rule-paths-contract.ts'

/** Handler for services that check which model a rule is for, and whether its paths exist. */
export const rulePaths = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, keyof typeof rulePathsEndpoints> => ({
  modelsOfName: async ({ query: { organization, model } }) => {
    const [, name, number] = /^(.+):(\d{1,9})$/.exec(model) ?? []
    if (name === undefined) return { models: [] }
    const found = await db
      .selectFrom('model')
      .select(['organization', sql<string[]>`array_agg(id order by minor, patch)`.as('ids')])
      .where('name', '=', name)
      .where('major', '=', Number(number))
      .where(visibleIn({ organization, subtree: false }, 'model'))
      .groupBy('organization')
      .orderBy(sql`length(organization)`, 'desc')
      .execute()
    const models = found.map(async (one) => ({
      ...one,
      paths: await pathsOfNewest(db, one.organization, model),
    }))
    return { models: await Promise.all(models) }
  },
})

async function pathsOfNewest(db: Kysely<MappingsDb>, organization: string, model: string) {
  const rows = await db
    .selectFrom('model_path')
    .select('path')
    .where('organization', '=', organization)
    .where('model', '=', model)
    .orderBy('path')
    .execute()
  return rows.map(({ path }) => path)
}
