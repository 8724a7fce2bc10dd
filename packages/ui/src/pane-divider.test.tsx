import { PaneDivider } from './PaneDivider.tsx'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { desktop, faults, showPart } from './ui-testing.tsx'

function Example() {
  const [width, setWidth] = useState<number>()
  return (
    <main style={{ display: 'flex', height: 200 }}>
      <div style={{ width: width ?? 300 }}>Values</div>
      <PaneDivider label="Width of the values" pane="before" onWidth={setWidth} />
    </main>
  )
}

test('each key of a fast series makes the pane wider by one step [C-26]', async () => {
  await desktop()
  await showPart(<Example />)
  const divider = page.getByRole('separator', { name: 'Width of the values' })
  await expect.element(divider).toHaveAttribute('aria-valuenow', '300')
  // Faster than a frame, after which the width is measured again.
  for (let key = 0; key < 3; key++) {
    divider
      .element()
      .dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
      )
    await new Promise((done) => setTimeout(done))
  }
  await expect.element(divider).toHaveAttribute('aria-valuenow', '372')
  expect(await faults()).toEqual([])
})

type SidesProps = { pane: 'before' | 'after'; onWidth: (width: number | undefined) => void }
const Sides = ({ pane, onWidth }: SidesProps) => (
  <main style={{ display: 'flex', width: 1000, height: 200 }}>
    <div style={{ width: 300 }}>Tree</div>
    <PaneDivider label="Width" pane={pane} onWidth={onWidth} />
    <div style={{ width: 400 }}>Details</div>
  </main>
)
const shownSides = async (pane: SidesProps['pane']) => {
  const told: (number | undefined)[] = []
  await showPart(<Sides pane={pane} onWidth={(width) => told.push(width)} />)
  const divider = page.getByRole('separator', { name: 'Width' })
  const start = pane === 'before' ? '300' : '400'
  await expect.element(divider).toHaveAttribute('aria-valuenow', start)
  return { told, divider }
}

test('an arrow to the left makes the pane on the right wider', async () => {
  const { told, divider } = await shownSides('after')
  ;(divider.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowLeft}{ArrowRight}{Enter}')
  expect(told).toEqual([424, 376])
})

test('a pane follows the pointer between 200 and 900 px, and a double click gives its usual width back', async () => {
  const { told, divider } = await shownSides('before')
  const line = divider.element()
  const pointer = (type: string, clientX: number) =>
    line.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX, bubbles: true }))
  line.setPointerCapture = () => undefined // there is no real pointer to capture
  pointer('pointermove', 900)
  pointer('pointerdown', 300)
  pointer('pointermove', 350)
  pointer('pointermove', 20)
  pointer('pointermove', 2000)
  pointer('pointerup', 2000)
  pointer('pointermove', 400)
  expect(told).toEqual([350, 200, 900])
  await divider.dblClick()
  expect(told.at(-1)).toBeUndefined()
})
