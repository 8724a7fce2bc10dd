import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Column, DataTable } from './DataTable.tsx'
import { EmptyState } from './EmptyState.tsx'
import { TableMemory } from './table-layout.ts'
import { desktop, faults, phone, showPart } from './ui-testing.tsx'

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
  await showPart(<Example />)
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
  await showPart(<Paged />)
  const list = page.getByRole('grid').element().parentElement
  expect(list?.scrollHeight).toBeGreaterThan(10_000 * 28)
  document.querySelector<HTMLElement>('[data-row="0"]')?.focus()
  await userEvent.keyboard('{End}')
  await expect.element(page.getByText('Device 9999')).toBeVisible()
  expect(asked).toBeGreaterThan(10)
  // A row that was gone to before it was loaded has the focus once it is there.
  await expect.poll(() => document.activeElement?.getAttribute('data-row')).toBe('9999')
})

test('a header sorts up and down and says so', async () => {
  await showPart(<Example />)
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
  await showPart(<Example />)
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
  await showPart(<Example />)
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
  await showPart(
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
  await showPart(<Example data={[]} />)
  await expect.element(page.getByText('Nothing yet')).toBeVisible()
})

test.for(['light', 'dark'] as const)(
  'a full table has no fault in %s, on a screen and a phone',
  async (scheme) => {
    await desktop()
    await showPart(<Example />, { scheme })
    await expect.element(page.getByRole('grid')).toBeVisible()
    expect(await faults()).toEqual([])
    await phone()
    await expect.element(page.getByRole('list', { name: 'Example' })).toBeVisible()
    expect(await faults()).toEqual([])
    await page.getByRole('button', { name: 'Device 1', exact: true }).click()
    await expect.element(page.getByText('opened r1')).toBeVisible()
    await desktop()
  },
)

test('the boxes of lines are drawn in the portal’s look, and hit beside what is drawn', async () => {
  await desktop()
  await showPart(<Example />)
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
  await showPart(
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

const few = ['Pump 10', 'Pump 9', 'Oven', 'pump 2'].map((name, n) => ({
  id: `f${n}`,
  name,
  value: n,
}))
const drawnNames = () =>
  page
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => row.querySelector('a')?.textContent)
const focusFirst = async () => {
  await expect.poll(() => document.querySelector('[data-row="0"]')).not.toBeNull()
  document.querySelector<HTMLElement>('[data-row="0"]')?.focus()
}

type PlainProps = Partial<Parameters<typeof DataTable<Row>>[0]>
const Plain = (props: PlainProps) => (
  <main style={{ display: 'flex', height: 400 }}>
    <DataTable
      name="plain"
      label="Plain"
      columns={columns}
      rows={few}
      rowId={({ id }) => id}
      empty={<EmptyState kind="nothing" title="Nothing yet" />}
      {...props}
    />
  </main>
)

test('names are sorted as people sort them: by number and without regard to capitals', async () => {
  await desktop()
  await showPart(<Plain />)
  await page.getByRole('button', { name: 'Name' }).click()
  await expect.poll(drawnNames).toEqual(['Oven', 'pump 2', 'Pump 9', 'Pump 10'])
  await page.getByRole('button', { name: 'Name' }).click()
  await expect.poll(drawnNames).toEqual(['Pump 10', 'Pump 9', 'pump 2', 'Oven'])
})

test('rows without a value are last when sorted upwards', async () => {
  const known: Column<Row>[] = columns.map((column) =>
    column.id === 'value'
      ? { ...column, value: ({ value }) => (value === 1 ? undefined : value) }
      : column,
  )
  await showPart(<Plain columns={known} />)
  await page.getByRole('button', { name: 'Value' }).click()
  await expect.poll(drawnNames).toEqual(['Pump 10', 'Oven', 'pump 2', 'Pump 9'])
})

test('rows that the server sorts keep its order, and it is asked for another one', async () => {
  const asked: unknown[] = []
  const sort = { id: 'name', desc: false }
  await showPart(<Plain sort={sort} onSort={(next) => asked.push(next)} />)
  await page.getByRole('button', { name: 'Name' }).click()
  await page.getByRole('button', { name: 'Value' }).click()
  expect(asked).toEqual([
    { id: 'name', desc: true },
    { id: 'value', desc: false },
  ])
  expect(drawnNames()).toEqual(['Pump 10', 'Pump 9', 'Oven', 'pump 2'])
})

test('one box selects all rows, and says so when only some of them are', async () => {
  await showPart(<Example data={few} />)
  const all = page.getByRole('checkbox', { name: 'Select all rows' })
  const one = page.getByRole('checkbox', { name: 'Select row' })
  await one.nth(1).click()
  await expect.element(all).toBePartiallyChecked()
  await all.click()
  await expect.element(page.getByText('4 selected')).toBeVisible()
  await all.click()
  await expect.element(page.getByText('4 selected')).not.toBeInTheDocument()
  expect(one.elements().filter((box) => (box as HTMLInputElement).checked)).toEqual([])
})

test('a click with Shift selects from the last box to this one', async () => {
  await showPart(<Example data={few} />)
  const box = page.getByRole('checkbox', { name: 'Select row' })
  await box.nth(0).click()
  await box.nth(2).click({ modifiers: ['Shift'] })
  await expect.element(page.getByText('3 selected')).toBeVisible()
  await expect.element(box.nth(3)).not.toBeChecked()
})

test('with the details open, they follow the row that has the focus', async () => {
  await showPart(<Example data={few} />)
  await focusFirst()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByText('opened nothing')).toBeVisible()
  await userEvent.keyboard('{Enter}{ArrowDown}')
  await expect.element(page.getByText('opened f2')).toBeVisible()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}')
  await expect.element(page.getByText('opened f0')).toBeVisible()
})

test('Page Down moves by the rows in sight, Page Up and Home back', async () => {
  await showPart(<Example />)
  await focusFirst()
  const focused = () => Number(document.activeElement?.getAttribute('data-row'))
  await userEvent.keyboard('{PageDown}')
  await expect.poll(focused).toBeGreaterThan(5)
  const page1 = focused()
  await userEvent.keyboard('{PageDown}')
  await expect.poll(focused).toBe(2 * page1)
  await userEvent.keyboard('{PageUp}')
  await expect.poll(focused).toBe(page1)
  await userEvent.keyboard('{Home}')
  await expect.poll(focused).toBe(0)
})

test('only one row is a stop of the Tab key: the one that had the focus last', async () => {
  await showPart(<Example data={few} />)
  await focusFirst()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  const stops = () =>
    [...document.querySelectorAll('[data-row][tabindex="0"]')].map((row) =>
      row.getAttribute('data-row'),
    )
  await expect.poll(stops).toEqual(['2'])
})

test('a click on a link or a box of a row does not open its details', async () => {
  await showPart(<Example data={few} />)
  await page.getByRole('link', { name: 'Oven' }).click()
  await page.getByRole('checkbox', { name: 'Select row' }).first().click()
  await expect.element(page.getByText('opened nothing')).toBeVisible()
  await page.getByRole('gridcell', { name: '3', exact: true }).click()
  await expect.element(page.getByText('opened f3')).toBeVisible()
})

test('columns, widths and row height are as the person left them', async () => {
  const kept = new Map<string, unknown>([
    ['table.plain', { note: true, value: false }],
    ['table.plain.widths', { note: 222 }],
    ['table.density', 'comfortable'],
  ])
  const memory = { read: (key: string) => kept.get(key), write: kept.set.bind(kept) }
  await showPart(
    <TableMemory value={memory}>
      <Plain />
    </TableMemory>,
  )
  const note = page.getByRole('columnheader', { name: 'Note' })
  await expect.element(note).toBeVisible()
  expect(note.element().getBoundingClientRect().width).toBe(222)
  await expect.element(page.getByRole('columnheader', { name: 'Value' })).not.toBeInTheDocument()
  const heightOf = () => page.getByRole('row').nth(1).element().getBoundingClientRect().height
  expect(heightOf()).toBe(44)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByText('Compact').click()
  await expect.poll(heightOf).toBe(28)
  expect(kept.get('table.density')).toBe('compact')
  expect(await faults()).toEqual([])
})

test('what is kept of a table and makes no sense is left out', async () => {
  const kept: Record<string, unknown> = {
    'table.plain': { note: 'yes', value: false },
    'table.plain.widths': { name: 'wide', note: Number.NaN },
    'table.density': 'huge',
  }
  await showPart(
    <TableMemory value={{ read: (key) => kept[key], write: () => undefined }}>
      <Plain />
    </TableMemory>,
  )
  await expect.element(page.getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await expect.element(page.getByRole('columnheader', { name: 'Note' })).not.toBeInTheDocument()
  expect(page.getByRole('row').nth(1).element().getBoundingClientRect().height).toBe(34)
})

test('the name of a row cannot be turned off, every other column can', async () => {
  await showPart(<Plain />)
  await page.getByRole('button', { name: 'Columns' }).click()
  await expect.element(page.getByRole('checkbox', { name: 'Value' })).toBeChecked()
  await expect.element(page.getByRole('checkbox', { name: 'Note' })).not.toBeChecked()
  expect(page.getByRole('checkbox', { name: 'Name' }).elements()).toEqual([])
  await page.getByRole('checkbox', { name: 'Value' }).click()
  await expect.element(page.getByRole('columnheader', { name: 'Value' })).not.toBeInTheDocument()
})

test('rows are cards beside each other where somebody wants them, with their values and boxes', async () => {
  await desktop()
  const ticked: string[][] = []
  const pressure: Column<Row> = {
    id: 'pressure',
    label: 'Pressure',
    width: 80,
    hidden: true,
    card: 'value',
    cell: ({ value }) => `${value} bar`,
  }
  await showPart(
    <Plain
      view="cards"
      columns={[...columns, pressure]}
      checked={new Set(['f0'])}
      onChecked={(ids) => ticked.push([...ids])}
    />,
  )
  const card = page.getByRole('listitem')
  await expect.element(card.nth(3)).toMatchTextContent(/3 bar/)
  const tops = card.elements().map((one) => one.getBoundingClientRect().top)
  expect(tops[0]).toBe(tops[2])
  expect(tops[3]).toBeGreaterThan(tops[0] ?? 0)
  await page.getByRole('checkbox', { name: 'Select row' }).nth(1).click()
  await page.getByRole('checkbox', { name: 'Select row' }).nth(0).click()
  expect(ticked).toEqual([['f0', 'f1'], []])
  expect(await faults()).toEqual([])
})
