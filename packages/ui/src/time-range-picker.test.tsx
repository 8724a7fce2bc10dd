import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { resolveRange, type TimeRange } from './time-range.ts'
import { TimeRangePicker } from './TimeRangePicker.tsx'
import { desktop, faults, fitsWindow, phone, showPart } from './ui-testing.tsx'

const now = Date.parse('2026-07-01T12:00:00Z')
const zone = 'Europe/Rome'
const chosen: TimeRange[] = []
beforeEach(async () => {
  chosen.length = 0
  await desktop()
})

function Example({ first }: { first: TimeRange }) {
  const [range, setRange] = useState(first)
  return (
    <main>
      <TimeRangePicker
        value={range}
        window={resolveRange(range, now, zone)}
        zone={zone}
        onChange={(next) => {
          chosen.push(next)
          setRange(next)
        }}
      />
    </main>
  )
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const texts = (range: TimeRange | undefined) =>
  typeof range === 'object'
    ? [range.from, range.to].map((at) => new Date(at).toISOString().slice(0, 16))
    : range
const morning = { from: Date.parse('2026-06-30T06:00Z'), to: Date.parse('2026-06-30T08:00Z') }

test('a quick range is chosen with two clicks and closes the box', async () => {
  await showPart(<Example first="24h" />)
  await button('Last 24 hours').click()
  const box = page.getByRole('dialog')
  await expect
    .element(box.getByRole('button', { name: 'Last 24 hours' }))
    .toHaveAttribute('aria-pressed', 'true')
  await box.getByRole('button', { name: 'Last 7 days' }).click()
  await expect.element(button('Last 7 days')).toHaveFocus()
  expect(chosen).toEqual(['7d'])
  await expect.element(box).not.toBeInTheDocument()
})

test('the exact time is not shown again when the pointer has left while the box was open', async () => {
  await showPart(<Example first="24h" />)
  await button('Last 24 hours').hover()
  await expect.element(page.getByRole('tooltip')).toBeVisible()
  await button('Last 24 hours').click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await page.getByRole('button', { name: 'This month' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.poll(() => page.getByRole('tooltip').elements()).toEqual([])
})

test('a range that ends now has no later one, and no way back to now', async () => {
  await showPart(<Example first="1h" />)
  await expect.element(button('Next period')).toBeDisabled()
  await expect.element(button('Now')).toBeDisabled()
  await button('Previous period').click()
  expect(texts(chosen[0])).toEqual(['2026-07-01T10:00', '2026-07-01T11:00'])
  await expect.element(button('Next period')).toBeEnabled()
  await button('Now').click()
  expect(chosen[1]).toBe('1h')
})

test('back and forth by the length of the window gives the same window again', async () => {
  await showPart(<Example first={morning} />)
  await button('Previous period').click()
  await button('Next period').click()
  expect(chosen.map(texts)).toEqual([
    ['2026-06-30T04:00', '2026-06-30T06:00'],
    ['2026-06-30T06:00', '2026-06-30T08:00'],
  ])
})

test('from an own range the way back to now is the quick range of nearly its length', async () => {
  await showPart(<Example first={{ from: morning.from, to: morning.from + 20 * 86_400_000 }} />)
  await button('Now').click()
  expect(chosen).toEqual(['30d'])
})

test('zooming out doubles the window around its middle', async () => {
  await showPart(<Example first={morning} />)
  await button('Zoom out').click()
  expect(texts(chosen[0])).toEqual(['2026-06-30T05:00', '2026-06-30T09:00'])
})

test('an own range is typed in the clock of the zone that stands below it', async () => {
  await showPart(<Example first={morning} />)
  await page.getByRole('button', { name: /Jun 30, 2026/ }).click()
  const [from, to] = [page.getByLabelText('From'), page.getByLabelText('To')]
  await expect.element(from).toHaveValue('2026-06-30T08:00')
  await expect.element(page.getByText('Times in Europe/Rome')).toBeVisible()
  await from.fill('2026-06-29T22:15')
  await to.fill('2026-06-30T02:00')
  expect(await faults()).toEqual([])
  await button('Apply range').click()
  expect(texts(chosen[0])).toEqual(['2026-06-29T20:15', '2026-06-30T00:00'])
})

test('an end before the start is said at the field and cannot be applied, by Enter neither', async () => {
  await showPart(<Example first={morning} />)
  await page.getByRole('button', { name: /Jun 30, 2026/ }).click()
  await page.getByLabelText('To').fill('2026-06-30T08:00')
  await expect.element(page.getByText('The end must be after the start.')).toBeVisible()
  await expect.element(button('Apply range')).toBeDisabled()
  await userEvent.keyboard('{Enter}')
  await page.getByLabelText('To').fill('')
  await expect.element(button('Apply range')).toBeDisabled()
  expect(chosen).toEqual([])
})

test('Escape closes the box and leaves the range', async () => {
  await showPart(<Example first="today" />)
  await button('Today').click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(chosen).toEqual([])
})

test.for(['light', 'dark'] as const)('a phone shows all of it, in %s', async (scheme) => {
  await phone()
  await showPart(<Example first="24h" />, { scheme })
  expect(await faults()).toEqual([])
  await button('Last 24 hours').click()
  await expect.element(button('Apply range')).toBeVisible()
  await expect.poll(fitsWindow).toBe(true)
  expect(await faults()).toEqual([])
})
