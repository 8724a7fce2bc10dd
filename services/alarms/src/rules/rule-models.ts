import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'

type Asked = { chain: readonly string[]; model: string }

/**
 * Looks up the models of rules that name them alone, as rules of before did: the nearest that the organization
 * may use, by which they were checked. A rule whose model is not there holds for no device.
 */
export async function settleModels({ db, clients }: AlarmsDeps, asked?: Asked) {
  for (const { org, model } of await unsettled(db, asked)) {
    const query = { organization: org, model }
    const [nearest] = (await clients.mappings.modelsOfName({ query })).models
    const id = nearest?.ids[0]
    if (nearest && id !== undefined) {
      await saveModel(db, { org, model, modelOrg: nearest.organization, modelId: id })
    }
  }
}

function unsettled(db: Kysely<AlarmsDb>, asked: Asked | undefined) {
  let query = db
    .selectFrom('rule')
    .select(['org', sql<string>`model`.as('model')])
    .distinct()
    .where('model', 'is not', null)
    .where('model_org', 'is', null)
    .where('deleted_at', 'is', null)
  if (asked) {
    query = query
      .where('model', '=', asked.model)
      .where(sql<boolean>`org = any(${asked.chain}::text[])`)
  }
  return query.execute()
}

type Found = { org: string; model: string; modelOrg: string; modelId: string }

/** Writes the model that rules of an organization mean by a name; it is no new version. */
const saveModel = (db: Kysely<AlarmsDb>, { org, model, modelOrg, modelId }: Found) =>
  db
    .updateTable('rule')
    .set({
      model_org: modelOrg,
      model_id: modelId,
      rule: sql<string>`jsonb_set(rule, '{scope,modelId}', to_jsonb(${modelId}::text))`,
    })
    .where('org', '=', org)
    .where('model', '=', model)
    .where('model_org', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
