import { PaneDivider } from '@longreach/ui/PaneDivider'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { desktop, faults, show } from './page-testing.tsx'

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
  await show(<Example />)
  const divider = page.getByRole('separator', { name: 'Width of the values' })
  await expect.element(divider).toHaveAttribute('aria-valuenow', '300')
  // Faster than a frame, after which the width is measured again.
  for (let key = 0; key < 3; key++) {
    divider
      .element()
      .dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
      )
    await Promise.resolve()
  }
  await expect.element(divider).toHaveAttribute('aria-valuenow', '372')
  expect(await faults()).toEqual([])
})
