import { toDataPage } from '@longreach/kit/contract'
import type { OrgCtx } from '@longreach/kit/service'
import { sql } from 'kysely'
import type { AlarmsDeps } from '../deps.ts'
import { expressionSql, orderSql } from './alarm-fields.ts'
import { type AlarmRow, countAlarms, alarmRules, selectAlarms } from './alarm-select.ts'
import { toAlarm } from './alarm-wire.ts'
import { scopedContext } from './scoped-context.ts'
import { visibleTo } from './visible.ts'

/** Alarms on the wire, with the texts of their rules. */
export async function toAlarms(deps: Pick<AlarmsDeps, 'db'>, ctx: OrgCtx, rows: AlarmRow[]) {
  const rules = await alarmRules(deps.db, rows)
  return rows.map((row) => toAlarm(ctx, rules, row))
}

type Body = {
  data?: string | undefined
  orderBy?: string | undefined
  orderDir?: string | undefined
  page: number
  pageSize: number
  scopedOrganization?: string | undefined
}
type Asked = { query: { organization?: string | undefined }; body: Body }

/** Search of the existing wire. */
export const searchAlarms =
  (deps: AlarmsDeps) =>
  async ({ query, body }: Asked, asking: OrgCtx) => {
    const ctx = await scopedContext(deps, asking, query.organization, body.scopedOrganization)
    const { data = '', page, pageSize } = body
    const visible = await visibleTo(deps.db, ctx)
    const order = orderSql(visible, body)
    const matching = data.trim() === '' ? sql<boolean>`true` : expressionSql(visible, data)
    const where = sql<boolean>`${visible.rows} and ${matching}`
    const offset = page * pageSize
    const found = await selectAlarms(deps.db, { where, order, limit: pageSize + 1, offset })
    const rows = found.slice(0, pageSize)
    const last = found.length <= pageSize
    const counted = await countAlarms(deps.db, where)
    const seen = offset + rows.length
    const isEnd = last && (rows.length > 0 || page === 0)
    const total = isEnd ? seen : last ? counted : Math.max(counted, seen + 1)
    const { next: _, ...answer } = toDataPage(await toAlarms(deps, ctx, rows), total, {
      page,
      pageSize,
      last,
    })
    return { ...answer, size: pageSize }
  }
