import { failure } from '@longreach/kit/errors'
import { type Condition, readCondition } from '@longreach/search-expression/condition'
import { type SqlField, toSql } from '@longreach/search-expression/expression-sql'
import { type RawBuilder, sql } from 'kysely'
import { searchContract } from './contract.ts'
import type { Visible } from './visible.ts'

type Kind = SqlField['kind']
const field = (kind: Kind, column: RawBuilder<unknown>): SqlField => ({ kind, sql: column })
const column = (kind: Kind, name: string) => field(kind, sql.raw(`o.${name}`))

const status = field(
  'text',
  sql`(case when o.cleared then 'CLEARED' when o.active then 'ACTIVE' else 'NOT_ACTIVE' end)`,
)
const requirement = (name: string) =>
  field('text', sql`(case when ${sql.raw(`o.${name}`)} then 'REQUIRED' else 'NOT_REQUIRED' end)`)
const ack = requirement('ack_required')
const reset = requirement('reset_required')
const enabled = field('text', sql`(case when o.enabled then 'ENABLED' else 'NOT_ENABLED' end)`)

/** Fields of an alarm on the wire that show no value. */
const fields: Readonly<Record<string, SqlField>> = {
  id: column('text', 'id'),
  realmId: field('text', sql`split_part(o.org, '.', 1)`),
  orgResourceId: column('text', 'org'),
  deviceId: column('text', 'device_id'),
  deviceLabel: field('text', sql`d.label`),
  name: column('text', 'name'),
  tag: column('text', 'tag'),
  severity: column('number', 'severity'),
  status,
  ack,
  reset,
  enabled,
  alarmEnabled: enabled,
  action: column('text', 'action'),
  updatedAt: column('time', 'updated_t'),
  eventTimestamp: column('time', 'start_t'),
  acknowledgedDate: column('time', 'acked_t'),
  comment: column('text', 'comment'),
  platformAction: column('boolean', 'platform_action'),
  'longreach.rule': field('text', sql`o.rule_id::text`),
  'longreach.version': column('number', 'rule_version'),
  'longreach.instance': column('text', 'instance'),
  'longreach.class': column('text', 'class'),
  'longreach.maxSeverity': column('number', 'max_severity'),
  'longreach.raises': column('number', 'raises'),
  'longreach.since': column('time', 'start_t'),
  'longreach.returnedAt': column('time', 'returned_t'),
  'longreach.closedAt': column('time', 'closed_t'),
  'longreach.heardAt': column('time', 'heard_t'),
  'longreach.suppressed': column('boolean', 'suppressed'),
  'longreach.late': column('boolean', 'late'),
  'longreach.withdrawn': column('boolean', 'withdrawn'),
  'longreach.unconfirmed': column('boolean', 'unconfirmed'),
  'longreach.assignee': column('text', 'assignee'),
  'longreach.comments': column('number', 'comments'),
}

/** Fields that contain values of the device. */
const valued: Readonly<Record<string, SqlField>> = {
  description: column('text', 'description'),
  value_double: valueField('number', 'double', 'double precision'),
  value_integer: valueField('number', 'integer', 'double precision'),
  value_longinteger: valueField('number', 'longinteger', 'double precision'),
  value_boolean: valueField('boolean', 'boolean', 'boolean'),
  value_string: valueField('text', 'string', 'text'),
  value_binaryblob: valueField('text', 'binaryblob', 'text'),
}

function valueField(kind: Kind, type: string, as: string) {
  return field(
    kind,
    sql`(case when o.value->>'type' = ${sql.lit(type)} then (o.value->>'value')::${sql.raw(as)} end)`,
  )
}

/** Fields by their name on the wire; values that the caller may not see are searched as if they were not there. */
export function fieldFor({ allValues }: Pick<Visible, 'allValues'>) {
  return (name: string): SqlField | undefined => {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (known) return known
    const shown = Object.hasOwn(valued, name) ? valued[name] : undefined
    if (!shown || !allValues) return shown
    return field(shown.kind, sql`(case when ${allValues} then ${shown.sql} end)`)
  }
}

/** SQL condition of an expression; 400 with the place where it is not understood. */
export function expressionSql(
  visible: Pick<Visible, 'allValues'>,
  source: string,
  name = 'data',
): RawBuilder<boolean> {
  const read = readCondition(source, fieldFor(visible))
  if (read.ok) return alarmSql(read.condition)
  const { message, at } = read
  throw failure(errorsOf, 'bad_expression', {
    message: `The search is not understood at character ${at + 1}: ${message}.`,
    field: name,
    position: at,
    reason: message,
    fault: 'expression_place',
    place: at + 1,
  })
}

/** Conditions that only open alarms fulfil, which have an index: active, and what is required. */
const ofOpen = new Map<SqlField, [value: string, condition: RawBuilder<boolean>]>([
  [status, ['ACTIVE', sql<boolean>`(o.open and o.active and not o.cleared)`]],
  [ack, ['REQUIRED', sql<boolean>`(o.open and o.ack_required)`]],
  [reset, ['REQUIRED', sql<boolean>`(o.open and o.reset_required)`]],
])

function alarmSql(condition: Condition<SqlField>): RawBuilder<boolean> {
  switch (condition.kind) {
    case 'and':
      return sql<boolean>`(${sql.join(condition.operands.map(alarmSql), sql` and `)})`
    case 'or':
      return sql<boolean>`(${sql.join(condition.operands.map(alarmSql), sql` or `)})`
    case 'not':
      return sql<boolean>`(${alarmSql(condition.operand)} is not true)`
    case 'equals': {
      const [value, own] = ofOpen.get(condition.field) ?? []
      return own && condition.value === value ? own : toSql(condition)
    }
    default:
      return toSql(condition)
  }
}

const errorsOf = { service: 'alarms', base: '/', ...searchContract } as const

type Asked = { orderBy?: string | undefined; orderDir?: string | undefined }

/** Order of a list by a field, with the id behind it, so that no two pages have the same alarm. */
export function orderSql(
  visible: Pick<Visible, 'allValues'>,
  { orderBy = '', orderDir = '' }: Asked,
): RawBuilder<unknown> {
  const by = orderBy.trim().replace(/\.keyword$/, '') || 'updatedAt'
  const direction = orderDir.trim().toLowerCase() || 'desc'
  const found = fieldFor(visible)(by)
  if (!found) throw badOrder('orderBy', `There is no field ${by} to order by; try updatedAt.`)
  if (direction !== 'asc' && direction !== 'desc')
    throw badOrder('orderDir', 'The direction of an order is asc or desc.')
  // The index of times has the ids in the other direction.
  const [own, ids] = direction === 'asc' ? [sql`asc`, sql`desc`] : [sql`desc`, sql`asc`]
  const isNullable = found.sql !== fields['updatedAt']?.sql
  return sql`${found.sql} ${own} ${isNullable ? sql`nulls last` : sql``}, o.id ${ids}`
}

const badOrder = (name: string, message: string) =>
  failure(errorsOf, 'bad_order', { message, field: name })
