import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ChartSeries } from './chart-data.ts'
import { StateLanes } from './StateLanes.tsx'
import { TimeChart } from './TimeChart.tsx'
import { desktop, faults, fitsWindow, phone, showPart } from './ui-testing.tsx'

const minute = 60_000
const from = Date.parse('2026-07-01T10:00:00Z')
const window = { from, to: from + 60 * minute }
const times = Array.from({ length: 61 }, (_, index) => from + index * minute)
const air: ChartSeries = {
  id: 'air',
  name: 'Air',
  color: 'var(--chart-1)',
  unit: 'bar',
  times,
  values: times.map((_, index) => 5 + index / 10),
}
const cover: ChartSeries = {
  id: 'cover',
  name: 'Cover',
  color: 'var(--chart-2)',
  step: true,
  states: ['Closed', 'Open'],
  times: [from, from + 30 * minute],
  values: [0, 1],
}

type Told = [string, unknown?][]
function shown(more: Partial<Parameters<typeof TimeChart>[0]> = {}) {
  const told: Told = []
  const element = (
    <main>
      <TimeChart
        label="Oven"
        series={[air]}
        window={window}
        zone="UTC"
        height={240}
        onZoom={(next) => told.push(['zoom', next])}
        onZoomOut={() => told.push(['out'])}
        {...more}
      />
    </main>
  )
  return { told, element }
}
const slider = () => page.getByRole('slider', { name: 'Oven' })
const focusSlider = () => (slider().element() as HTMLElement).focus()

test('the newest value stands above the chart, a sentence tells the rest', async () => {
  await desktop()
  await showPart(shown().element)
  await expect.element(page.getByText('11 bar')).toBeVisible()
  await expect
    .element(slider())
    .toHaveAccessibleDescription(/lowest 5\sbar, highest 11\sbar, mean 8\sbar, last 11\sbar/)
  expect(await faults()).toEqual([])
})

test('arrows move the cross-hair, with Shift in larger steps, and say time and value', async () => {
  await showPart(shown().element, { locale: 'en-GB' })
  focusSlider()
  await userEvent.keyboard('{ArrowLeft}')
  await expect
    .element(slider())
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/10:59:\d\d, Air 10\.9\sbar/))
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}')
  await expect
    .element(slider())
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/10:5[23]:\d\d, Air 10\.3\sbar/))
})

test('+ zooms into the middle, - and Escape out, C notes something at the cross-hair', async () => {
  const notes: unknown[] = []
  const { told, element } = shown({ onNote: (span) => notes.push(span) })
  await showPart(element)
  focusSlider()
  await userEvent.keyboard('+-{Escape}c')
  expect(told).toEqual([
    ['zoom', { from: from + 15 * minute, to: from + 45 * minute }],
    ['out'],
    ['out'],
  ])
  expect(notes).toEqual([{ from: window.to }])
  await userEvent.keyboard('{Control>}c{/Control}')
  expect(notes).toHaveLength(1)
})

test('the values can be read as a table, newest first, with gaps as dashes', async () => {
  await showPart(shown({ series: [air, cover] }).element)
  await page.getByRole('button', { name: 'Show as table' }).click()
  const cells = (row: number) =>
    [...page.getByRole('row').nth(row).element().children].map((cell) => cell.textContent)
  expect(cells(0)).toEqual(['Time (UTC)', 'Air (bar)', 'Cover'])
  expect(cells(1).slice(1)).toEqual(['11', '—'])
  expect(cells(31).slice(1)).toEqual(['8', 'Open'])
  expect(await faults()).toEqual([])
  await page.getByRole('button', { name: 'Show as chart' }).click()
  await expect.element(slider()).toBeVisible()
})

test('a table of very many points shows the newest 500 and says so', async () => {
  const many = Array.from({ length: 2_000 }, (_, index) => from + index * 1_000)
  const dense = { ...air, times: many, values: many.map((_, index) => index) }
  await showPart(shown({ series: [dense] }).element)
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect.element(page.getByText('Showing the newest 500 of 2,000 rows.')).toBeInTheDocument()
  expect(page.getByRole('row').elements()).toHaveLength(501)
})

test('a chart without values says so, one whose values are on their way does not', async () => {
  const blank = { ...air, times: [], values: [] }
  const { showAgain } = await showPart(shown({ series: [blank], pending: true }).element)
  const nothing = page.getByText('No values in this period')
  await expect.element(nothing).not.toBeInTheDocument()
  await showAgain(shown({ series: [blank] }).element)
  await expect.element(nothing).toBeVisible()
  await expect.element(slider()).toHaveAccessibleDescription('Air: no values.')
  const held = { value: 4, at: from - minute, from, to: window.to, joins: false }
  await showAgain(shown({ series: [{ ...blank, held }] }).element)
  await expect.element(nothing).not.toBeInTheDocument()
  await expect
    .element(slider())
    .toHaveAccessibleDescription(/4\sbar, the value of .* still applies/)
})

test('hidden lines and earlier periods are not in the caption, the earlier value stands beside', async () => {
  const earlier = { ...air, id: 'air earlier', name: 'Air before', dashed: true }
  const hidden = { ...air, id: 'x', name: 'Water', hidden: true }
  await showPart(shown({ series: [air, earlier, hidden] }).element)
  focusSlider()
  await userEvent.keyboard('{ArrowLeft}')
  const caption = () => document.querySelector('.chart-caption')?.textContent
  await expect.poll(caption).toMatch(/Air10\.9\sbar\s*\(10\.9\sbar\)/)
  expect(caption()).not.toMatch(/Water|before/)
})

test('notes are flags over the chart that open by click and keyboard; those outside are left out', async () => {
  const opened: string[] = []
  await showPart(
    shown({
      marks: [
        { id: 'a', from: from + 10 * minute, text: 'Filter changed' },
        { id: 'b', from: from - 60 * minute, to: from + minute, text: 'Maintenance' },
        { id: 'c', from: from - 60 * minute, text: 'Long ago' },
      ],
      onMark: (id) => opened.push(id),
    }).element,
  )
  await page.getByRole('button', { name: 'Filter changed' }).click()
  const maintenance = page.getByRole('button', { name: 'Maintenance' })
  ;(maintenance.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  expect(opened).toEqual(['a', 'b'])
  expect(page.getByRole('button', { name: 'Long ago' }).elements()).toEqual([])
  expect(await faults()).toEqual([])
})

test('a double click zooms out, a drag chooses a time', async () => {
  const { told, element } = shown()
  await showPart(element)
  await expect.poll(() => document.querySelector('.u-over')).not.toBeNull()
  const over = page.elementLocator(document.querySelector('.u-over') as HTMLElement)
  const { width } = over.element().getBoundingClientRect()
  await userEvent.dragAndDrop(over, over, {
    sourcePosition: { x: width / 4, y: 50 },
    targetPosition: { x: (width * 3) / 4, y: 50 },
  })
  await expect.poll(() => told.length).toBe(1)
  const [[name, span]] = told as [[string, { from: number; to: number }]]
  expect(name).toBe('zoom')
  expect((span.from - from) / minute).toBeCloseTo(15, 0)
  expect((span.to - from) / minute).toBeCloseTo(45, 0)
  await over.dblClick()
  await expect.poll(() => told.at(-1)).toEqual(['out'])
})

test('new values are drawn into the same chart, another kind of line into a new one', async () => {
  const canvas = () => document.querySelector('canvas')
  const { showAgain } = await showPart(shown().element)
  await expect.poll(canvas).not.toBeNull()
  const before = canvas()
  await showAgain(shown({ series: [{ ...air, values: times.map(() => 3) }] }).element)
  await expect.element(page.getByText('3 bar', { exact: true })).toBeVisible()
  expect(canvas()).toBe(before)
  await showAgain(shown({ series: [{ ...air, kind: 'bar' }] }).element)
  await expect.poll(() => canvas() === before).toBe(false)
})

test.for(['light', 'dark'] as const)(
  'a chart and its lanes have no fault in %s on a phone',
  async (scheme) => {
    await phone()
    await showPart(
      <main>
        <TimeChart label="Oven" series={[air]} window={window} zone="UTC" height={200} />
        <StateLanes
          label="States"
          series={[cover]}
          window={window}
          zone="UTC"
          inset={{ left: 40, right: 0 }}
        />
      </main>,
      { scheme },
    )
    await expect.element(page.getByRole('region', { name: 'States' })).toBeVisible()
    expect(await faults()).toEqual([])
    await expect.poll(fitsWindow).toBe(true)
    await desktop()
  },
)

test('a lane tells each state with its start, and the last one beside the name', async () => {
  await showPart(
    <StateLanes
      label="States"
      series={[cover, { ...cover, id: 'h', name: 'Hidden', hidden: true }]}
      window={window}
      zone="UTC"
      inset={{ left: 0, right: 0 }}
    />,
    { locale: 'en-GB' },
  )
  const lane = page.getByRole('img')
  expect(lane.elements()).toHaveLength(1)
  await expect
    .element(lane)
    .toHaveAccessibleName('Cover: Closed 01/07/2026, 10:00:00, Open 01/07/2026, 10:30:00')
  const [closed, open] = lane.element().children
  expect(closed?.hasAttribute('data-quiet')).toBe(true)
  expect(open?.hasAttribute('data-quiet')).toBe(false)
  expect(open?.getAttribute('title')).toBe('Open · 01/07/2026, 10:30:00 – 01/07/2026, 11:00:00')
  expect(document.querySelector('.chart-lane-name b')?.textContent).toBe('Open')
})
