import type { Action, Permission, Resource } from '@longreach/authorization/permissions'
import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox } from '@mantine/core'
import { Fragment, type KeyboardEvent } from 'react'
import { rightsColumns, rightsTable } from '../../parts/access/rights-table.ts'
import { useMay } from '../../parts/session/session.ts'
import { plainRights, rightsCount, withPlainRights } from './role-rights.ts'
import type { Editing } from './RoleFacts.tsx'
import shared from './roles.module.css'
import classes from './RightsMatrix.module.css'

/** Resources by actions: a tick gives the right. Rights that the person lacks cannot be given. */
export function RightsMatrix({ draft, locked, onEdit }: Editing) {
  const t = useWords()
  const held = plainRights(draft.rules)
  const columns = rightsColumns()
  const set = (rights: readonly Permission[], on: boolean) => {
    const next = new Set(held)
    for (const right of rights) {
      if (on) next.add(right)
      else next.delete(right)
    }
    onEdit({ rules: withPlainRights(draft.rules, next) })
  }
  return (
    <Panel
      title={t('roles.matrix')}
      beside={
        <span className={shared.dim}>
          {t('roles.rightsCount', { count: rightsCount(draft.rules) })}
        </span>
      }
    >
      <p className={classes.scrollHint}>{t('roles.scrollHint')}</p>
      <div className={classes.scroll}>
        <table aria-label={t('roles.matrix')} className={classes.matrix}>
          <thead>
            <tr>
              <th scope="col">{t('roles.resource')}</th>
              <th scope="col">{t('roles.all')}</th>
              {columns.map((action) => (
                <th key={action} scope="col">
                  {t(`access.action.${action}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rightsTable().map(({ group, rows }) => (
              <Fragment key={group}>
                <tr className={classes.group}>
                  <th scope="colgroup" colSpan={columns.length + 2}>
                    {t(`roles.group.${group}`)}
                  </th>
                </tr>
                {rows.map(({ resource, actions }) => (
                  <MatrixRow
                    key={resource}
                    {...{ resource, actions, columns, held, locked }}
                    onChange={set}
                  />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

type RowProps = {
  resource: Resource
  actions: readonly Action[]
  columns: readonly Action[]
  held: ReadonlySet<Permission>
  locked: string | undefined
  onChange: (rights: readonly Permission[], on: boolean) => void
}

function MatrixRow({ resource, actions, columns, held, locked, onChange }: RowProps) {
  const t = useWords()
  const may = useMay()
  const name = t(`access.resource.${resource}`)
  const rights = actions.map((action): Permission => `${resource}:${action}`)
  const own = rights.filter((right) => may(right) || held.has(right))
  const count = rights.filter((right) => held.has(right)).length
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Tick
          label={t('roles.allOf', { resource: name })}
          checked={count === rights.length}
          some={count > 0 && count < rights.length}
          still={locked ?? (own.length === 0 ? t('roles.beyondOwn') : undefined)}
          onChange={(on) => onChange(own, on)}
        />
      </td>
      {columns.map((action) => {
        const right: Permission = `${resource}:${action}`
        const on = held.has(right)
        if (!actions.includes(action)) return <NoTick key={action} />
        const beyond = !may(right) && !on ? t('roles.beyondOwn') : undefined
        return (
          <td key={action}>
            <Tick
              label={`${name}: ${t(`access.action.${action}`)}`}
              checked={on}
              still={locked ?? beyond}
              onChange={(next) => onChange([right], next)}
            />
          </td>
        )
      })}
    </tr>
  )
}

const NoTick = () => (
  <td className={classes.none}>
    <span aria-hidden>·</span>
  </td>
)

type TickProps = {
  label: string
  checked: boolean
  some?: boolean
  /** Why it does not change. It can be reached all the same, to hear that. */
  still: string | undefined
  onChange: (on: boolean) => void
}

function Tick({ label, checked, some = false, still, onChange }: TickProps) {
  return (
    <span title={still} {...(still !== undefined && { className: classes.still })}>
      <Checkbox
        aria-label={still === undefined ? label : `${label}. ${still}`}
        aria-disabled={still !== undefined}
        checked={checked}
        indeterminate={some}
        onKeyDown={moveByArrows}
        onChange={(event) => still === undefined && onChange(event.currentTarget.checked)}
      />
    </span>
  )
}

const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

/** Arrow keys go from tick to tick, over cells that have none. */
function moveByArrows(event: KeyboardEvent<HTMLInputElement>) {
  const step = steps[event.key]
  const cell = event.currentTarget.closest('td')
  const table = cell?.closest('table')
  if (!step || !cell || !table) return
  const box = nextTick(table, cell, step)
  if (!box) return
  event.preventDefault()
  box.focus()
}

function nextTick(
  { rows }: HTMLTableElement,
  cell: HTMLTableCellElement,
  [down, right]: readonly [number, number],
) {
  const last = (rows[0]?.cells.length ?? 0) - 1
  let y = [...rows].findIndex((row) => row.contains(cell)) + down
  let x = cell.cellIndex + right
  while (rows[y] && x > 0 && x <= last) {
    const box = rows[y]?.cells[x]?.querySelector('input')
    if (box) return box
    y += down
    x += right
  }
  return undefined
}
