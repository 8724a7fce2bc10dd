import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { faults, show } from '../../page-testing.tsx'
import type { LineLook } from './explore-look.ts'
import { withLine } from './explore-url.ts'
import { SeriesCards } from './SeriesCards.tsx'
import { Tree, TreeBranch, TreeProvider } from './TreeBranch.tsx'

/** An organization with a device and two values, as the page makes them of what it reads. */
function Sample({ onChoose }: { onChoose: (path: string) => void }) {
  const [active, setActive] = useState('org')
  const [opened, setOpened] = useState(false)
  const state = {
    lines: [],
    places: new Set<string>(),
    active,
    setActive,
    onChoose: (_: string, path: string) => onChoose(path),
    isFavourite: () => false,
    toggleFavourite: ({ path }: { path: string }) => onChoose(`star ${path}`),
  }
  return (
    <TreeProvider value={state}>
      <Tree label="Values">
        <TreeBranch id="org" level={1} opened row="Works" onPress={() => undefined}>
          <TreeBranch
            id="oven"
            level={2}
            opened={opened}
            row="Oven"
            onPress={() => setOpened(!opened)}
          >
            <TreeBranch id="a" level={3} row="Air" onPress={() => onChoose('air')} />
            <TreeBranch
              id="b"
              level={3}
              row={
                <>
                  Burner
                  <button
                    type="button"
                    data-favourite
                    tabIndex={-1}
                    onClick={(event) => {
                      event.stopPropagation()
                      onChoose('star')
                    }}
                  >
                    Favourite
                  </button>
                </>
              }
              onPress={() => onChoose('burner')}
            />
          </TreeBranch>
        </TreeBranch>
      </Tree>
    </TreeProvider>
  )
}

test('the tree is walked, opened and chosen from by keys alone [R-16]', async () => {
  const chosen: string[] = []
  await show(<Sample onChoose={(path) => chosen.push(path)} />)
  const focused = () => document.activeElement?.textContent ?? ''
  await userEvent.tab()
  await expect.poll(() => focused()).toBe('Works')
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  await expect.element(page.getByRole('treeitem', { name: 'Air' })).toBeVisible()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => focused()).toBe('Air')
  await userEvent.keyboard('{Enter}b')
  await expect.poll(() => focused()).toContain('Burner')
  await userEvent.keyboard(' f')
  await expect.poll(() => chosen).toEqual(['air', 'burner', 'star'])
  await userEvent.keyboard('{ArrowLeft}')
  await expect.poll(() => focused()).toBe('Oven')
  await userEvent.keyboard('{ArrowLeft}{Home}')
  await expect.poll(() => page.getByRole('treeitem', { name: 'Air' }).elements()).toEqual([])
  await expect.poll(() => focused()).toBe('Works')
  expect(await faults()).toEqual([])
})

test('a card hides its line, changes its form and goes away [R-16]', async () => {
  const lines = withLine([], { device: 'd', path: 'M:1/t' })
  const series = [
    {
      id: 'd/M:1/t',
      name: 'Temperature',
      color: 'var(--chart-1)',
      times: [0, 10, 20],
      values: [1, 5, 3],
      unit: '°C',
    },
  ]
  const look = { axis: 'left', hidden: false, color: 1, kind: 'line' } as const
  const formula = { ...look, text: 'a - b', name: 'Loss', unit: 'kW' }
  const held = { value: 4, at: -86_400_000, from: 0, to: 100, joins: false }
  const computed = { ...series[0]!, id: '=a - b', name: 'Loss', times: [], values: [], held }
  const told: (readonly LineLook[])[] = []
  const edited: string[] = []
  const window = { from: 0, to: 100 }
  await show(
    <SeriesCards
      {...{ lines, series: [...series, computed], window }}
      formulas={[{ formula, inputs: lines, unknown: ['b'], data: undefined, error: null }]}
      zone="UTC"
      onFormulas={(next) => told.push(next)}
      onEdit={({ text }) => edited.push(text)}
      before={[{ ...series[0]!, id: 'd/M:1/t earlier', values: [2, 2, 2], dashed: true }]}
      onLines={(next) => told.push(next)}
    />,
  )
  await expect.element(page.getByText('2 °C (+50%)')).toBeVisible()
  await page.getByRole('button', { name: 'Hide Temperature' }).click()
  await page.getByRole('button', { name: /axis of Temperature$/ }).click()
  await page.getByRole('menuitem', { name: 'Area' }).click()
  await page.getByRole('button', { name: 'Remove Temperature' }).click()
  await page.getByRole('button', { name: 'Edit formula Loss' }).click()
  expect(edited).toEqual(['a - b'])
  await expect.element(page.getByText(/^There is no line b/)).toBeVisible()
  await expect.element(page.getByText(/^Value at /)).toBeVisible()
  await expect
    .poll(() => told.map(([look]) => look && [look.hidden, look.kind]))
    .toEqual([[true, 'line'], [false, 'area'], undefined])
  expect(await faults()).toEqual([])
})
