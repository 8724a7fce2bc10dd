import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { AlarmsDb } from '../database.ts'
import { expressionSql } from './alarm-fields.ts'
import type { listFilters } from './list-contract.ts'
import type { Visible } from './visible.ts'
import { wordConditions } from './words.ts'

type Filter = Partial<{
  [Name in keyof typeof listFilters]: z.output<(typeof listFilters)[Name]>
}> & {
  data?: string | undefined
}

/** Open alarms that are listed: what is suppressed or shelved is not. */
export const listedOpen = sql<boolean>`(o.open and not o.suppressed and o.shelf_id is null)`

/** Conditions of the filters of a list, each of which holds. */
export async function filterConditions(
  db: Kysely<AlarmsDb>,
  visible: Visible,
  { data = '', search = '', severities, deviceId, ruleId }: Filter,
): Promise<RawBuilder<boolean>[]> {
  const expression = data.trim() === '' ? undefined : expressionSql(visible, data)
  return [
    expression,
    ...(await wordConditions(db, visible, search)),
    severities && sql<boolean>`o.level = any(${severities}::int[])`,
    deviceId === undefined ? undefined : sql<boolean>`o.device_id = ${deviceId}`,
    ruleId === undefined ? undefined : sql<boolean>`o.rule_id = ${ruleId}`,
  ].filter((one) => one !== undefined)
}
