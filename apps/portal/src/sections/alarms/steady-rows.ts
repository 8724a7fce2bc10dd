import type { Alarm } from '../../parts/alarms/alarm-calls.ts'

/** Row of a list that changes while somebody reads it; `gone`: it no longer belongs there. */
type Steady<Row> = Row & { gone?: true }

export type AlarmRow = Steady<Alarm>

type Listed = { id: string }

/**
 * Rows in the order in which they are shown, with their present content: new ones are left out and counted,
 * and those that are gone keep their place.
 */
export function steadyRows<Row extends Listed>(
  shown: readonly Steady<Row>[],
  present: readonly Row[],
): { rows: Steady<Row>[]; added: number } {
  const byId = new Map(present.map((row) => [row.id, row]))
  const rows = shown.map((row): Steady<Row> => byId.get(row.id) ?? { ...row, gone: true })
  const known = new Set(shown.map(({ id }) => id))
  return { rows, added: present.filter(({ id }) => !known.has(id)).length }
}
