import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { EmptyIconOfSection, EmptyState } from './EmptyState.tsx'
import { ErrorPanel } from './ErrorPanel.tsx'
import { KpiChips } from './KpiChips.tsx'
import { NothingFound } from './NothingFound.tsx'
import { HeadingShown, PageHeader, Panel } from './PageHeader.tsx'
import { Facts, PanelSection, SidePanel } from './SidePanel.tsx'
import { Sparkline } from './Sparkline.tsx'
import { StatusDot, Tag } from './StatusDot.tsx'
import { desktop, faults, fitsWindow, phone, showPart } from './ui-testing.tsx'
import { useTreeKeys } from './use-tree-keys.ts'
import { useUndo } from './use-undo.ts'

test('a side panel closes with Escape, but not while a dialog, menu or list in it is open', async () => {
  await desktop()
  let closed = 0
  await showPart(
    <main>
      <SidePanel title="Press 3" onClose={() => closed++}>
        <div role="dialog" aria-label="Question">
          <button>Inside</button>
        </div>
        <button onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}>Own</button>
      </SidePanel>
    </main>,
  )
  ;(page.getByRole('button', { name: 'Inside' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Escape}')
  ;(page.getByRole('button', { name: 'Own' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Escape}')
  expect(closed).toBe(0)
  ;(page.getByRole('button', { name: 'Close' }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Escape}')
  expect(closed).toBe(1)
  await page.getByRole('button', { name: 'Close' }).click()
  expect(closed).toBe(2)
})

test('a panel that is gone listens to Escape no more', async () => {
  let closed = 0
  const { showAgain } = await showPart(
    <SidePanel title="Press 3" onClose={() => closed++}>
      text
    </SidePanel>,
  )
  await showAgain(<p>list</p>)
  await userEvent.keyboard('{Escape}')
  expect(closed).toBe(0)
})

test.for(['light', 'dark'] as const)(
  'details beside a list have no fault in %s, on a phone too',
  async (scheme) => {
    const element = (
      <main>
        <PageHeader
          title="Devices"
          count="12"
          help="Machines of this plant"
          actions={<button>Add</button>}
        />
        <KpiChips
          label="Figures"
          items={[
            { id: 'on', label: 'Online', value: 4, tone: 'ok' },
            { id: 'off', label: 'Offline', tone: 'off', note: 'since today' },
          ]}
          onChange={() => undefined}
        />
        <SidePanel title="Press 3" facts={<Tag tone="ok">Online</Tag>} onClose={() => undefined}>
          <PanelSection title="Facts">
            <Facts items={[{ label: 'Serial number', value: '4711' }]} />
          </PanelSection>
        </SidePanel>
        <Panel title="States">
          {(['ok', 'warning', 'alarm', 'off', 'info'] as const).map((tone) => (
            <StatusDot key={tone} tone={tone}>
              {tone}
            </StatusDot>
          ))}
        </Panel>
      </main>
    )
    await desktop()
    await showPart(element, { scheme })
    await expect.element(page.getByRole('complementary', { name: 'Press 3' })).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'States' })).toBeVisible()
    expect(await faults()).toEqual([])
    await phone()
    expect(await faults()).toEqual([])
    await expect.poll(fitsWindow).toBe(true)
    await desktop()
  },
)

test('each tone of a state has a shape of its own, for those who do not see colours', async () => {
  const tones = ['ok', 'warning', 'alarm', 'off', 'info'] as const
  await showPart(
    <>
      {tones.map((tone) => (
        <StatusDot key={tone} tone={tone} />
      ))}
    </>,
  )
  const shapes = [...document.querySelectorAll('svg')].map((svg) => svg.innerHTML)
  expect(new Set(shapes).size).toBe(tones.length)
})

test('a figure is a filter that is switched on and off, and one that is not known is a dash', async () => {
  const chosen: (string | undefined)[] = []
  const chips = (active?: string) => (
    <KpiChips
      label="Figures"
      items={[
        { id: 'on', label: 'Online', value: 4 },
        { id: 'off', label: 'Offline' },
      ]}
      active={active}
      onChange={(id) => chosen.push(id)}
    />
  )
  const { showAgain } = await showPart(chips())
  const online = page.getByRole('button', { name: 'Online 4' })
  await online.click()
  await showAgain(chips('on'))
  await expect.element(online).toHaveAttribute('aria-pressed', 'true')
  await online.click()
  expect(chosen).toEqual(['on', undefined])
  await expect.element(page.getByRole('button', { name: 'Offline —' })).toBeVisible()
})

test('the heading of a page is told when it comes and when its text changes', async () => {
  const told: string[] = []
  const pageOf = (title: string) => (
    <HeadingShown value={(heading) => told.push(heading.textContent)}>
      <PageHeader title={title} />
    </HeadingShown>
  )
  // A function that stays the same, as that of the shell.
  const { showAgain } = await showPart(pageOf('Devices'))
  await showAgain(pageOf('Press 3'))
  expect([...new Set(told)]).toEqual(['Devices', 'Press 3'])
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveAttribute('tabindex', '-1')
})

test('a failure is announced, with its reference and a way to try again', async () => {
  let tries = 0
  await showPart(
    <main>
      <ErrorPanel message="The server did not answer." reference="r-17" onRetry={() => tries++} />
    </main>,
  )
  await expect.element(page.getByRole('alert')).toMatchTextContent(/did not answer.*Reference r-17/)
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(tries).toBe(1)
  expect(await faults()).toEqual([])
})

test('a failure that cannot be tried again has no button for it', async () => {
  await showPart(<ErrorPanel message="Not found." tone="warning" />)
  await expect.element(page.getByRole('alert')).toHaveTextContent('Not found.')
  expect(page.getByRole('button').elements()).toEqual([])
})

test('where a filter finds nothing it can be taken away there', async () => {
  let cleared = 0
  await showPart(
    <NothingFound title="No device found" clear="Clear filters" onClear={() => cleared++} />,
  )
  await expect.element(page.getByText('No device found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  expect(cleared).toBe(1)
})

test('where nothing exists yet the icon of the section stands, for other reasons their own', async () => {
  await showPart(
    <EmptyIconOfSection value={<span>section icon</span>}>
      <EmptyState kind="nothing" title="No presets yet" text="A preset links a model to tags." />
      <EmptyState kind="forbidden" title="Not for you" />
    </EmptyIconOfSection>,
  )
  await expect.element(page.getByText('No presets yet')).toBeVisible()
  expect(page.getByText('section icon').elements()).toHaveLength(1)
})

test('a small line breaks at a gap, is a picture only with a name, and a step goes along the axes', async () => {
  const history = { times: [0, 1, 2, 3], values: [1, 2, null, 3] }
  await showPart(
    <>
      <Sparkline {...history} label="Pressure of the last hour" />
      <Sparkline {...history} step />
      <Sparkline times={[0, 1]} values={[5, 5]} />
    </>,
  )
  expect(page.getByRole('img').elements()).toHaveLength(1)
  const paths = [...document.querySelectorAll('path')].map((one) => one.getAttribute('d') ?? '')
  expect(paths[0]?.match(/M/g)).toHaveLength(2)
  expect(paths[1]).toMatch(/H.*V/)
  expect(paths[1]).not.toContain('L')
  // A line that never moves runs through the middle.
  expect(paths[2]).toBe('M1.0 9.0h.01L55.0 9.0')
})

const pressedItems: string[] = []
function Tree() {
  const onKeyDown = useTreeKeys((key, item) => {
    if (key !== 'Delete') return false
    pressedItems.push(`delete ${item.textContent}`)
    return true
  })
  const item = (name: string, level: number, expanded?: boolean) => (
    // The keys of the item are handled by the tree around it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="treeitem"
      aria-level={level}
      aria-expanded={expanded}
      aria-selected={false}
      tabIndex={-1}
      onClick={() => pressedItems.push(name)}
    >
      {name}
    </div>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items take the focus
    <div role="tree" aria-label="Plant" onKeyDown={onKeyDown}>
      {item('Works', 1, true)}
      {item('Oven', 2)}
      {item('Press', 2, false)}
    </div>
  )
}

test('a tree is walked by arrows and letters, opened by arrows, pressed by Enter and Space', async () => {
  await showPart(<Tree />)
  const item = (name: string) => page.getByRole('treeitem', { name })
  ;(item('Works').element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(item('Oven')).toHaveFocus()
  await userEvent.keyboard('p')
  await expect.element(item('Press')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{Enter} {Delete}')
  expect(pressedItems).toEqual(['Press', 'Press', 'Press', 'delete Press'])
  await userEvent.keyboard('{Control>}{ArrowUp}{/Control}')
  await expect.element(item('Press')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(item('Works')).toHaveFocus()
})

function Editor() {
  const { now, canUndo, canRedo, change, undo, redo, restart } = useUndo('a')
  return (
    <>
      <output>{now}</output>
      <button onClick={() => change(`${now}b`)}>Type</button>
      <button disabled={!canUndo} onClick={undo}>
        Undo
      </button>
      <button disabled={!canRedo} onClick={redo}>
        Redo
      </button>
      <button onClick={() => restart('z')}>Load</button>
    </>
  )
}

test('an editor can undo and redo only what there is, and nothing of what was loaded before', async () => {
  await showPart(<Editor />)
  const press = (name: string) => page.getByRole('button', { name }).click()
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeDisabled()
  await press('Type')
  await press('Undo')
  await expect.element(page.getByRole('status')).toHaveTextContent('a')
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeDisabled()
  await press('Redo')
  await expect.element(page.getByRole('status')).toHaveTextContent('ab')
  await press('Load')
  await expect.element(page.getByRole('status')).toHaveTextContent('z')
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeDisabled()
})
