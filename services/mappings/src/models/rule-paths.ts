import type { Handlers } from '@longreach/kit/service'
import { sql } from 'kysely'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { visibleIn } from './model-visibility.ts'
import type { rulePathsEndpoints } from './rule-paths-contract.ts'

/** Handler for services that check whether the paths of a rule exist. */
export const rulePaths = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, keyof typeof rulePathsEndpoints> => ({
  pathsOfModel: async ({ query: { organization, model } }) => {
    const nearest = await db
      .selectFrom('model_path')
      .innerJoin('model', 'model.id', 'model_path.model_id')
      .select('model_path.organization')
      .where('model_path.model', '=', model)
      .where(visibleIn({ organization, subtree: false }, 'model'))
      .orderBy(sql`length(model_path.organization)`, 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!nearest) return { paths: [] }
    const rows = await db
      .selectFrom('model_path')
      .select('path')
      .where('organization', '=', nearest.organization)
      .where('model', '=', model)
      .orderBy('path')
      .execute()
    return { paths: rows.map(({ path }) => path) }
  },
})
