import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { desktop, faults, phone, show } from './page-testing.tsx'
import { type Column, DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { TableMemory } from '@longreach/ui/table-layout'

type Row = { id: string; name: string; value: number }

const rows = Array.from({ length: 10_000 }, (_, n): Row => ({
  id: `r${n}`,
  name: `Device ${n}`,
  value: (n * 7919) % 10_007,
}))
const columns: Column<Row>[] = [
  {
    id: 'name',
    label: 'Name',
    width: 160,
    grow: 2,
    sortable: true,
    fixed: true,
    card: 'title',
    cell: ({ name }) => <a href="#x">{name}</a>,
    value: ({ name }) => name,
  },
  {
    id: 'value',
    label: 'Value',
    width: 100,
    align: 'end',
    sortable: true,
    card: 'state',
    cell: ({ value }) => value,
    value: ({ value }) => value,
  },
  { id: 'note', label: 'Note', width: 100, hidden: true, cell: ({ id }) => id },
]

function Example({ data = rows }: { data?: Row[] }) {
  const [selected, setSelected] = useState<string>()
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  return (
    <main style={{ display: 'flex', height: 600 }}>
      <DataTable
        name="example"
        label="Example"
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        selected={selected}
        onOpen={({ id }) => setSelected(id)}
        checked={checked}
        onChecked={setChecked}
        footer={<span>opened {selected ?? 'nothing'}</span>}
        empty={<EmptyState kind="nothing" title="Nothing yet" />}
      />
    </main>
  )
}

test('ten thousand rows are counted, and only those in sight are drawn', async () => {
  await desktop()
  await show(<Example />)
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '10001')
  expect(document.querySelectorAll('[data-row]').length).toBeLessThan(60)
})

test('the scroll bar stands for every row of the server, also for those that are not here yet', async () => {
  await desktop()
  let asked = 0
  function Paged() {
    const [loaded, setLoaded] = useState(100)
    return (
      <main style={{ display: 'flex', height: 600 }}>
        <DataTable
          name="paged"
          label="Paged"
          columns={columns}
          rows={rows.slice(0, loaded)}
          total={rows.length}
          rowId={({ id }) => id}
          onSort={() => undefined}
          onMore={() => {
            asked++
            setLoaded((count) => Math.min(rows.length, count + 500))
          }}
          empty={<EmptyState kind="nothing" title="Nothing yet" />}
        />
      </main>
    )
  }
  await show(<Paged />)
  const list = page.getByRole('grid').element().parentElement
  expect(list?.scrollHeight).toBeGreaterThan(10_000 * 28)
  list?.scrollTo({ top: list.scrollHeight })
  await expect.element(page.getByText('Device 9999')).toBeVisible()
  expect(asked).toBeGreaterThan(10)
})

test('a header sorts up and down and says so', async () => {
  await show(<Example />)
  await page.getByRole('button', { name: 'Value' }).click()
  await expect
    .element(page.getByRole('columnheader', { name: 'Value' }))
    .toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => document.querySelector('[data-row="0"]')?.textContent).toBe('Device 00')
  await page.getByRole('button', { name: 'Value' }).click()
  await expect
    .element(page.getByRole('columnheader', { name: 'Value' }))
    .toHaveAttribute('aria-sort', 'descending')
})

test('arrows move, Space selects, Shift and Space a range, Enter opens', async () => {
  await show(<Example />)
  await expect.poll(() => document.querySelector('[data-row="0"]')).not.toBeNull()
  document.querySelector<HTMLElement>('[data-row="0"]')?.focus()
  await userEvent.keyboard('{ArrowDown} ')
  await expect.element(page.getByText('1 selected')).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Shift>} {/Shift}')
  await expect.element(page.getByText('3 selected')).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('opened r3')).toBeVisible()
  await userEvent.keyboard('{End}')
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('9999')
  await expect.element(page.getByText('opened r9999')).toBeVisible()
})

test('the person chooses the columns', async () => {
  await show(<Example />)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Note' }).click()
  await expect.element(page.getByRole('columnheader', { name: 'Note' })).toBeVisible()
})

test('a column is drawn wider by the keyboard and stays so', async () => {
  await desktop()
  const kept = new Map<string, unknown>()
  const memory = { read: (key: string) => kept.get(key), write: kept.set.bind(kept) }
  const widthOf = () =>
    page
      .getByRole('columnheader', { name: /^Value/ })
      .element()
      .getBoundingClientRect().width
  await show(
    <TableMemory value={memory}>
      <Example />
    </TableMemory>,
  )
  const before = widthOf()
  ;(page.getByRole('button', { name: 'Value' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}')
  await expect.poll(widthOf).toBe(before + 32)
  expect(kept.get('table.example.widths')).toEqual({ value: before + 32 })
  expect(await faults()).toEqual([])
})

test('nothing to list shows why', async () => {
  await show(<Example data={[]} />)
  await expect.element(page.getByText('Nothing yet')).toBeVisible()
})

test.for(['light', 'dark'])(
  'a full table has no fault in %s, on a screen and a phone',
  async (scheme) => {
    localStorage.setItem('longreach.scheme', JSON.stringify(scheme))
    await desktop()
    await show(<Example />)
    await expect.element(page.getByRole('grid')).toBeVisible()
    expect(await faults()).toEqual([])
    await phone()
    await expect.element(page.getByRole('list', { name: 'Example' })).toBeVisible()
    expect(await faults()).toEqual([])
    await page.getByRole('button', { name: 'Device 1', exact: true }).click()
    await expect.element(page.getByText('opened r1')).toBeVisible()
    await desktop()
    localStorage.clear()
  },
)

test('the boxes of lines are drawn in the portal’s look, and hit beside what is drawn', async () => {
  await desktop()
  await show(<Example />)
  const box = page.getByRole('checkbox', { name: 'Select row' }).first()
  const drawn = getComputedStyle(box.element())
  expect(drawn.appearance).toBe('none')
  const { backgroundColor: empty } = drawn
  // Left of the box.
  await box.click({ position: { x: -4, y: 8 } })
  await expect.element(box).toBeChecked()
  await expect.element(page.getByText('opened nothing')).toBeVisible()
  await expect.poll(() => getComputedStyle(box.element()).backgroundColor).not.toBe(empty)
  await phone()
  const onCard = () => document.querySelector('label input[type=checkbox]')
  await expect.poll(onCard).not.toBeNull()
  await expect.element(box).toHaveStyle({ appearance: 'none' })
})

test('a button within a card is pressed itself, a press beside it opens the card', async () => {
  await phone()
  const pressed: string[] = []
  const opened: string[] = []
  const roles: Column<Row> = {
    id: 'roles',
    label: 'Roles',
    width: 100,
    card: 'detail',
    cell: ({ name }) => <button onClick={() => pressed.push(name)}>Roles of {name}</button>,
  }
  await show(
    <main style={{ display: 'flex', height: 600 }}>
      <DataTable
        name="cards"
        label="Cards"
        columns={[...columns, roles]}
        rows={rows.slice(0, 3)}
        rowId={({ id }) => id}
        onOpen={({ name }) => opened.push(name)}
        empty={<EmptyState kind="nothing" title="Nothing yet" />}
      />
    </main>,
  )
  await page.getByRole('button', { name: 'Roles of Device 1' }).click()
  expect([pressed, opened]).toEqual([['Device 1'], []])
  await page.getByRole('button', { name: 'Device 1', exact: true }).click()
  expect(opened).toEqual(['Device 1'])
})
