import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CopyBlock } from './CopyBlock.tsx'
import { CopyText, shortened } from './CopyText.tsx'
import { BytesText, NumberText } from './NumberText.tsx'
import { Hint } from './Hint.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { SearchField } from './SearchField.tsx'
import { desktop, faults, fitsWindow, phone, showPart, watchClipboard } from './ui-testing.tsx'

test('an id is shown short and copied whole', async () => {
  const copied = watchClipboard()
  await showPart(
    <main>
      <CopyText text="abcdefghijklmnopqrstuvwxyz" label="device number" shorten />
    </main>,
  )
  await expect.element(page.getByText('abcdefg…vwxyz')).toBeVisible()
  await page.getByRole('button', { name: 'Copy device number' }).click()
  await expect.element(page.getByRole('status')).toHaveTextContent('Copied')
  expect(copied).toEqual(['abcdefghijklmnopqrstuvwxyz'])
  expect(await faults()).toEqual([])
  await expect.poll(() => document.querySelector('[role=status]')?.textContent).toBe('')
})

test('a browser that refuses to copy is said so, and nothing pretends to be copied', async () => {
  watchClipboard({ refuses: true })
  await showPart(<CopyText text="secret" label="key" />)
  await page.getByRole('button', { name: 'Copy key' }).click()
  await expect
    .element(page.getByRole('status'))
    .toHaveTextContent('The browser did not allow copying')
})

test.each([
  ['12345678901234', '12345678901234'],
  ['123456789012345', '1234567…12345'],
  ['', ''],
])('%j is shortened to %j', (text, short) => expect(shortened(text)).toBe(short))

test.for(['light', 'dark'] as const)(
  'a long command in %s scrolls in its box, also on a phone, and is copied as it is',
  async (scheme) => {
    const copied = watchClipboard()
    const command = `curl -fsSL https://portal.example/install \\\n  --token ${'x'.repeat(200)}`
    await phone()
    await showPart(
      <main>
        <CopyBlock text={command} label="command" />
      </main>,
      { scheme },
    )
    const box = page.getByLabelText('command', { exact: true })
    expect(box.element().textContent).toBe(command)
    await expect.poll(fitsWindow).toBe(true)
    await page.getByRole('button', { name: 'Copy command' }).click()
    await expect.element(page.getByText('Copied')).toBeVisible()
    expect(copied).toEqual([command])
    expect(await faults()).toEqual([])
    await desktop()
  },
)

const told: string[] = []
function Search({ first = '' }: { first?: string }) {
  const [text, setText] = useState(first)
  return (
    <main>
      <SearchField
        label="Search devices"
        text={text}
        onText={(next) => {
          told.push(next)
          setText(next.trim())
        }}
      />
      <button onClick={() => setText('from a link')}>Follow a link</button>
      <button onClick={() => setText('')}>Clear filters</button>
    </main>
  )
}
const field = () => page.getByRole('searchbox', { name: 'Search devices' })

test('a search is told when the person stops typing, and what was typed stays as it was', async () => {
  told.length = 0
  await desktop()
  await showPart(<Search />)
  await field().click()
  await userEvent.keyboard('press ')
  await expect.poll(() => told.at(-1)).toBe('press ')
  // The list searches for the text without its space; the space is still in the field.
  await expect.element(field()).toHaveValue('press ')
  await userEvent.keyboard('3')
  await expect.poll(() => told.at(-1)).toBe('press 3')
  expect(await faults()).toEqual([])
})

test('the field follows a search that comes from elsewhere', async () => {
  await showPart(<Search first="oven" />)
  await expect.element(field()).toHaveValue('oven')
  await page.getByRole('button', { name: 'Follow a link' }).click()
  await expect.element(field()).toHaveValue('from a link')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.element(field()).toHaveValue('')
})

test('a time is an age with the exact time on hover, and counts on', async () => {
  const at = new Date(Date.now() - 58_000)
  await showPart(<RelativeTime at={at} />, { zone: 'Europe/Rome' })
  const time = () => document.querySelector('time')
  expect(time()?.textContent).toMatch(/^5\ds ago$/)
  expect(time()?.dateTime).toBe(at.toISOString())
  expect(time()?.title).toBe(
    new Intl.DateTimeFormat('en', {
      dateStyle: 'medium',
      timeStyle: 'medium',
      timeZone: 'Europe/Rome',
    }).format(at),
  )
  await expect.poll(() => time()?.textContent).toBe('1m ago')
})

test('no time is a dash, and a clock that is ahead of ours is now', async () => {
  await showPart(
    <>
      <i>
        <RelativeTime at={undefined} />
      </i>
      <b>
        <RelativeTime at={Date.now() + 60_000} />
      </b>
    </>,
  )
  expect(document.querySelector('i')?.textContent).toBe('—')
  expect(document.querySelector('b')?.textContent).toBe('now')
})

test('all ages of a page share one clock, which stops with the last of them', async () => {
  const began = vi.spyOn(globalThis, 'setInterval')
  const ended = vi.spyOn(globalThis, 'clearInterval')
  const at = Date.now()
  const agesOf = (times: number[]) => (
    <ul>
      {times.map((time) => (
        <li key={time}>
          <RelativeTime at={time} />
        </li>
      ))}
    </ul>
  )
  const { showAgain } = await showPart(agesOf([at, at - 5_000]))
  const clocks = () => began.mock.calls.filter(([, ms]) => ms === 1_000).length
  expect(clocks()).toBe(1)
  const clock = began.mock.results[began.mock.calls.findIndex(([, ms]) => ms === 1_000)]?.value
  await showAgain(agesOf([at]))
  expect(ended).not.toHaveBeenCalledWith(clock)
  await showAgain(agesOf([]))
  expect(ended).toHaveBeenCalledWith(clock)
  vi.restoreAllMocks()
})

test('numbers and sizes are written in the language, what was not measured is a dash', async () => {
  await showPart(
    <ul>
      <li>
        <NumberText value={1234.5} unit="bar" digits={5} />
      </li>
      <li>
        <NumberText value={null} unit="bar" />
      </li>
      <li>
        <BytesText value={1_500} base={1000} />
      </li>
      <li>
        <BytesText value={1_536} />
      </li>
    </ul>,
    { locale: 'de' },
  )
  const texts = page
    .getByRole('listitem')
    .elements()
    .map((one) => one.textContent)
  expect(texts).toEqual(['1.234,5\u00a0bar', '—', '1,5\u00a0kB', '1,5\u00a0KiB'])
})

test('a control that may not be used says why when it gets the focus; without a reason it says nothing', async () => {
  await showPart(
    <main>
      <Hint text="You may not delete devices">
        <button aria-disabled>Delete</button>
      </Hint>
      <Hint text={undefined}>
        <button>Save</button>
      </Hint>
    </main>,
  )
  await expect.element(page.getByRole('button', { name: 'Delete' })).toBeVisible()
  const hint = page.getByRole('tooltip')
  await page.getByRole('button', { name: 'Save' }).hover()
  expect(hint.elements()).toEqual([])
  await expect
    .poll(async () => {
      await userEvent.keyboard('{Tab}')
      return hint.elements().map((one) => one.textContent)
    })
    .toEqual(['You may not delete devices'])
})
